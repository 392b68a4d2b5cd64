// An end that lies before its beginning, since the length was too large: how addresses compare then is nobody's claim.
// function: walk
// reachable: 12:9 true
// reachable: 12:9 false
// reachable: 18:14 true
// reachable: 18:14 false
unsigned walk(const unsigned char *p, unsigned long length);
unsigned walk(const unsigned char *p, unsigned long length)
{
    const unsigned char *end = p + length;
    unsigned sum = 0;
    if (length < 8)
        return 0;
    const unsigned char *limit = end - 7;
    do {
        sum = sum * 31 + p[0];
        p += 4;
    } while (p < limit);
    return sum;
}
