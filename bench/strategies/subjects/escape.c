// Makes a string fit for a shell, as a web server does it: quotes what has a meaning, ends at the first line feed, and
// writes control characters in hexadecimal. The space never runs out, yet that is checked.
// name: escape
// function: escape
// options: --pointers valid --globals initial
// expect: covered 21 infeasible 1 unknown 0
// name: escape-nu
// function: escape
// options: --pointers valid --globals initial -D ALL_REACHABLE
// expect: covered 20 infeasible 0 unknown 0
#define MOST 3
#define SPACE 20

static char out[SPACE];

static int needs_quote(char c)
{
    static const char special[] = "&;|*?$\"'";
    for (int i = 0; special[i] != 0; i++) {
        if (special[i] == c)
            return 1;
    }
    return 0;
}

static char digit(int value)
{
    return (char)(value < 10 ? '0' + value : 'a' + value - 10);
}

int escape(const char in[MOST]);
int escape(const char in[MOST])
{
    int written = 0, quoted = 0;
    for (int i = 0; i < MOST && in[i] != 0; i++) {
        unsigned char c = (unsigned char)in[i];
#ifndef ALL_REACHABLE
        if (written + 4 >= SPACE)
            return -1;
#endif
        if (c == '\n')
            break;
        if (c < 32 || c == 127) {
            out[written++] = '\\';
            out[written++] = 'x';
            out[written++] = digit(c >> 4);
            out[written++] = digit(c & 15);
        } else if (needs_quote(in[i])) {
            out[written++] = '\\';
            out[written++] = in[i];
            quoted++;
        } else {
            out[written++] = in[i];
        }
    }
    out[written] = 0;
    if (quoted == 3)
        return 2;
    return quoted > 0;
}
