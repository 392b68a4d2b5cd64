// Replaces all that a pattern matches in a line. In a pattern, ? is any character, [a-c] and [^x] are classes, * after
// one of these is any number of it, % at the start and $ at the end are the ends of the line, @ quotes.
// function: replace
// options: --pointers valid --globals initial
// expect: covered 111 infeasible 2 unknown 0
#define LINE 2
#define PATTERN 5
#define ITEMS 16

enum kind { LITERAL, ANY, CLASS, NOT_CLASS, BEGIN, END };

struct item {
    enum kind kind;
    int star;
    char from, to;
};

static struct item items[ITEMS];
static int count;

static int add(enum kind kind, char from, char to)
{
    if (count >= ITEMS)
        return 0;
    items[count].kind = kind;
    items[count].star = 0;
    items[count].from = from;
    items[count].to = to;
    count++;
    return 1;
}

/* The index after the class that begins at i, or -1. */
static int read_class(const char *pattern, int i)
{
    enum kind kind = CLASS;
    i++;
    if (i < PATTERN && pattern[i] == '^') {
        kind = NOT_CLASS;
        i++;
    }
    if (i >= PATTERN || pattern[i] == 0 || pattern[i] == ']')
        return -1;
    char from = pattern[i++], to = from;
    if (i + 1 < PATTERN && pattern[i] == '-' && pattern[i + 1] != ']') {
        to = pattern[i + 1];
        if (to < from)
            return -1;
        i += 2;
    }
    if (i >= PATTERN || pattern[i] != ']')
        return -1;
    return add(kind, from, to) ? i + 1 : -1;
}

static int compile(const char *pattern)
{
    int i = 0;
    count = 0;
    while (i < PATTERN && pattern[i] != 0) {
        char c = pattern[i];
        if (c == '%' && i == 0) {
            add(BEGIN, 0, 0);
            i++;
        } else if (c == '$' && (i + 1 >= PATTERN || pattern[i + 1] == 0)) {
            add(END, 0, 0);
            i++;
        } else if (c == '*' && count > 0 && items[count - 1].kind < BEGIN && !items[count - 1].star) {
            items[count - 1].star = 1;
            i++;
        } else if (c == '[') {
            i = read_class(pattern, i);
            if (i < 0)
                return 0;
        } else if (c == '?') {
            add(ANY, 0, 0);
            i++;
        } else {
            if (c == '@' && i + 1 < PATTERN && pattern[i + 1] != 0)
                c = pattern[++i];
            add(LITERAL, c, c);
            i++;
        }
    }
    return count > 0;
}

static int fits(const struct item *item, char c)
{
    if (c == 0)
        return 0;
    switch (item->kind) {
    case ANY:
        return 1;
    case NOT_CLASS:
        return c < item->from || c > item->to;
    default:
        return c >= item->from && c <= item->to;
    }
}

/* Where the match that begins at `at` ends, or -1. */
static int match(const char *line, int at, int n)
{
    if (n == count)
        return at;
    const struct item *item = &items[n];
    if (item->kind == BEGIN)
        return at == 0 ? match(line, at, n + 1) : -1;
    if (item->kind == END)
        return line[at] == 0 ? match(line, at, n + 1) : -1;
    if (item->star) {
        int end = at;
        while (end < LINE && fits(item, line[end]))
            end++;
        for (; end >= at; end--) {
            int rest = match(line, end, n + 1);
            if (rest >= 0)
                return rest;
        }
        return -1;
    }
    if (at < LINE && fits(item, line[at]))
        return match(line, at + 1, n + 1);
    return -1;
}

int replace(const char text[LINE], const char pattern[PATTERN], char with);
int replace(const char text[LINE], const char pattern[PATTERN], char with)
{
    char line[LINE + 1], out[2 * LINE + 2];
    int length = 0, changed = 0;
    while (length < LINE && text[length] != 0) {
        line[length] = text[length];
        length++;
    }
    line[length] = 0;
    if (!compile(pattern))
        return -1;
    int written = 0;
    for (int at = 0; at < length;) {
        int end = match(line, at, 0);
        if (end >= 0) {
            out[written++] = with;
            changed++;
        }
        if (end <= at)
            out[written++] = line[at++];
        else
            at = end;
    }
    out[written] = 0;
    return changed == 0 ? 0 : out[0] == with ? 2 : 1;
}
