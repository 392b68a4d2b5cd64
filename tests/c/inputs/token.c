// A cursor that moves and a limit, handed on to a function that may stop anywhere.
// function: token
// expect: covered 22 infeasible 0 unknown 0
static const char *skip(const char *p, const char *limit)
{
    while (p < limit && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

int token(const char **cursor, const char *limit);
int token(const char **cursor, const char *limit)
{
    const char *p, *start;
    if (!cursor || !*cursor || !limit)
        return -1;
    start = p = skip(*cursor, limit);
    if (p >= limit)
        return 0;
    while (p < limit && *p != ' ')
        p++;
    *cursor = p;
    if (p == limit)
        return 1;
    return p - start == 3 ? 3 : 2;
}
