// A callback in a structure that the caller fills, with data of its own, which the callback may change.
// function: handle
// reachable: 20:9 true
// reachable: 20:9 false
// reachable: 22:9 true
// reachable: 22:9 false
struct handler {
    int (*run)(struct handler *self, int event);
    int state;
};

int count(struct handler *self, int event);
int count(struct handler *self, int event) { return ++self->state == event; }

int handle(struct handler *h, int event);
int handle(struct handler *h, int event)
{
    h->state = 0;
    int done = h->run(h, event);
    if (done)
        return 1;
    if (h->state == 2)
        return 2;
    return 0;
}
