// An unknown function that writes variables: those that code in another file can name.
// function: poll
// options: --stub update=globals
// expect: covered 7 infeasible 0 unknown 1
struct link {
    int state;
    unsigned char level;
    char *name;
};
struct link link;
int errors;
static int calls;

void update(int errors);
int poll(void);
int poll(void)
{
    calls = 3;
    errors = 0;
    link.state = 1;
    update(7);
    // No other file can name it, but who knows what `update` calls.
    if (calls != 3)
        return -1;
    if (errors == 5)
        return 1;
    update(8);
    if (link.state == 2 && link.level > 200)
        return 2;
    return 0;
}
