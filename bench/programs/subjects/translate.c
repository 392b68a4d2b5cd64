// Replaces, deletes or squeezes characters of standard input, as tr does.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

struct set {
    unsigned char members[MOST];
    int count;
};

static void die(const char *problem)
{
    fprintf(stderr, "translate: %s\n", problem);
    exit(1);
}

static void add(struct set *set, int c)
{
    if (set->count == MOST)
        die("too large a set");
    set->members[set->count++] = (unsigned char)c;
}

static int octal(const char **text)
{
    int value = 0, digits = 0;
    while (digits < 3 && **text >= '0' && **text <= '7') {
        value = 8 * value + (*(*text)++ - '0');
        digits++;
    }
    if (value > 255)
        die("not a character");
    return value;
}

static int one(const char **text)
{
    int c = (unsigned char)*(*text)++;
    if (c != '\\')
        return c;
    c = (unsigned char)**text;
    if (c >= '0' && c <= '7')
        return octal(text);
    switch (c) {
    case '\0':
        die("a backslash alone");
        break;
    case 'n':
        c = '\n';
        break;
    case 't':
        c = '\t';
        break;
    default:
        break;
    }
    ++*text;
    return c;
}

static void add_class(struct set *set, const char *name, size_t length)
{
    int c;
    int (*is)(int) = NULL;
    if (length == 5 && memcmp(name, "digit", 5) == 0)
        is = isdigit;
    else if (length == 5 && memcmp(name, "upper", 5) == 0)
        is = isupper;
    else if (length == 5 && memcmp(name, "lower", 5) == 0)
        is = islower;
    else
        die("unknown class");
    for (c = 0; c < 256; c++) {
        if (is(c))
            add(set, c);
    }
}

static void read_set(struct set *set, const char *text)
{
    set->count = 0;
    while (*text != '\0') {
        int first, last;
        if (text[0] == '[' && text[1] == ':') {
            const char *end = strstr(text + 2, ":]");
            if (end == NULL)
                die("a class without an end");
            add_class(set, text + 2, (size_t)(end - text - 2));
            text = end + 2;
            continue;
        }
        first = last = one(&text);
        if (text[0] == '-' && text[1] != '\0') {
            text++;
            last = one(&text);
            if (last < first)
                die("a range the wrong way round");
        }
        for (; first <= last; first++)
            add(set, first);
    }
}

static int place(const struct set *set, int c)
{
    const unsigned char *found = memchr(set->members, c, (size_t)set->count);
    return found == NULL ? -1 : (int)(found - set->members);
}

int main(int argc, char **argv)
{
    struct set from, to = {.count = 0};
    int deletes = 0, squeezes = 0, complements = 0, last = EOF, c, i = 1;
    while (i < argc && argv[i][0] == '-' && argv[i][1] != '\0') {
        if (strcmp(argv[i], "-d") == 0)
            deletes = 1;
        else if (strcmp(argv[i], "-s") == 0)
            squeezes = 1;
        else if (strcmp(argv[i], "-c") == 0)
            complements = 1;
        else
            die("unknown option");
        i++;
    }
    if (i >= argc)
        die("no set");
    read_set(&from, argv[i++]);
    if (i < argc)
        read_set(&to, argv[i]);
    else if (!deletes && !squeezes)
        die("to what?");
    if (deletes && to.count > 0)
        die("nothing to translate to");
    while ((c = getchar()) != EOF) {
        int at = place(&from, c);
        if (complements)
            at = at < 0 ? 0 : -1;
        if (at < 0) {
            putchar(c);
            last = EOF;
            continue;
        }
        if (deletes)
            continue;
        if (to.count > 0)
            c = to.members[at < to.count ? at : to.count - 1];
        if (squeezes && c == last)
            continue;
        putchar(c);
        last = c;
    }
    return 0;
}
