// A text with its length and a byte of flags before it: what is before the pointer is read, and the length is written.
// function: text_trim
// expect: covered 13 infeasible 0 unknown 0
struct header {
    unsigned char used;
    unsigned char room;
    unsigned char flags;
};

static unsigned length(const char *s)
{
    switch (s[-1] & 3) {
    case 0:
        return (unsigned char)s[-2];
    case 1:
        return ((const struct header *)(const void *)(s - sizeof(struct header)))->used;
    default:
        return 0;
    }
}

int text_trim(char *s);
int text_trim(char *s)
{
    unsigned n;
    if (!s)
        return -1;
    n = length(s);
    if (n > 6)
        return -2;
    while (n > 0 && s[n - 1] == ' ')
        n--;
    if ((s[-1] & 3) == 1)
        ((struct header *)(void *)(s - sizeof(struct header)))->used = (unsigned char)n;
    return (int)n;
}
