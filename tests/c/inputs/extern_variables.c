// Variables that no file defines have any value; tests define them. Beside them some that no test can set, which only must not keep the
// suite from being built. Names that our own files use too are no obstacle.
// function: choose
// expect: covered 10 infeasible 0 unknown 0
struct config {
    int mode;
    const char *name;
};
struct hidden;

extern int limit;
extern volatile unsigned count;
extern struct config config;
extern const char *names[4];
extern char end[];
extern struct hidden secret;
extern const int table[8];

int choose(int value);
int choose(int value)
{
    if (value > limit)
        return 1;
    limit = value;
    if (config.mode == 3)
        return 2;
    if (names[1] && names[1][0] == 'q')
        return 3;
    if (count != count)
        return 4;
    return 5;
}

int unused(unsigned at);
int unused(unsigned at)
{
    extern int inner;
    return inner + end[at] + table[at & 7] + (&secret != 0);
}
