// Each level of the recursion calls back, so the callback sees depths beyond any limit on the expansion of calls.
// function: start
// reachable: 11:9 true
// reachable: 11:9 false
// reachable: 18:9 true
// reachable: 18:9 false
int depth;

static int visit(int level)
{
    if (level == 9)
        return 1;
    return 0;
}

static int walk(int (*g)(int), int level, int last)
{
    if (level >= last)
        return g(level);
    return g(level) + walk(g, level + 1, last);
}

int start(int last);
int start(int last)
{
    return walk(visit, 0, last & 15);
}
