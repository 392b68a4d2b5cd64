// Callbacks in a table that the caller fills.
// function: dispatch
// expect: covered 10 infeasible 0 unknown 0
struct hooks {
    int (*on_open)(const char *name);
    long (*on_size)(void);
    void (*on_close)(int status);
};

int dispatch(const struct hooks *hooks, const char *name);
int dispatch(const struct hooks *hooks, const char *name)
{
    int status = 0;
    if (!hooks)
        return -1;
    if (hooks->on_open)
        status = hooks->on_open(name);
    if (hooks->on_size && hooks->on_size() > 1000000L)
        status = 7;
    if (hooks->on_close)
        hooks->on_close(status);
    return status;
}
