// A member that is `void *`.
// function: fire
// expect: covered 6 infeasible 0 unknown 0
struct counter {
    unsigned hits;
};

struct event {
    int kind;
    void *user;
};

int fire(struct event *event);
int fire(struct event *event)
{
    if (!event || !event->user)
        return 0;
    struct counter *counter = event->user;
    return counter->hits == 41 ? 1 : 2;
}
