// Counts lines, words, characters and the longest line of standard input, as wc does.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct totals {
    unsigned long lines, words, bytes, longest;
};

enum { LINES = 1, WORDS = 2, BYTES = 4, LONGEST = 8 };

static void usage(const char *problem)
{
    if (problem != NULL)
        fprintf(stderr, "count: %s\n", problem);
    fprintf(stderr, "usage: count [-lwcL] [-t TAB]\n");
    exit(2);
}

static unsigned parse_flags(const char *text)
{
    unsigned flags = 0;
    if (*text == '\0')
        usage("a dash alone");
    for (; *text != '\0'; text++) {
        switch (*text) {
        case 'l':
            flags |= LINES;
            break;
        case 'w':
            flags |= WORDS;
            break;
        case 'c':
            flags |= BYTES;
            break;
        case 'L':
            flags |= LONGEST;
            break;
        default:
            usage("unknown flag");
        }
    }
    return flags;
}

static unsigned long parse_tab(const char *text)
{
    char *end;
    long tab;
    if (text == NULL)
        usage("-t needs a number");
    tab = strtol(text, &end, 10);
    if (end == text || *end != '\0')
        usage("not a number");
    if (tab < 1 || tab > 64)
        usage("a tab has 1 to 64 columns");
    return (unsigned long)tab;
}

static void end_line(struct totals *totals, unsigned long *column)
{
    if (*column > totals->longest)
        totals->longest = *column;
    *column = 0;
}

static void read_all(struct totals *totals, unsigned long tab)
{
    unsigned long column = 0;
    int inside = 0, c;
    while ((c = getchar()) != EOF) {
        totals->bytes++;
        if (c == '\n') {
            totals->lines++;
            end_line(totals, &column);
        } else if (c == '\t') {
            column += tab - column % tab;
        } else if (c == '\r') {
            end_line(totals, &column);
        } else if (isprint(c)) {
            column++;
        }
        if (isspace(c)) {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            totals->words++;
        }
    }
    end_line(totals, &column);
}

static void show(const char *name, unsigned long number, int *first)
{
    printf("%s%s=%lu", *first ? "" : " ", name, number);
    *first = 0;
}

int main(int argc, char **argv)
{
    struct totals totals = {0, 0, 0, 0};
    unsigned flags = 0;
    unsigned long tab = 8;
    int first = 1, i;
    for (i = 1; i < argc; i++) {
        if (argv[i][0] != '-')
            usage("files are not read");
        if (strcmp(argv[i], "-t") == 0) {
            tab = parse_tab(argv[++i]);
            continue;
        }
        flags |= parse_flags(argv[i] + 1);
    }
    if (flags == 0)
        flags = LINES | WORDS | BYTES;
    read_all(&totals, tab);
    if (flags & LINES)
        show("lines", totals.lines, &first);
    if (flags & WORDS)
        show("words", totals.words, &first);
    if (flags & BYTES)
        show("bytes", totals.bytes, &first);
    if (flags & LONGEST)
        show("longest", totals.longest, &first);
    putchar('\n');
    return totals.bytes == 0;
}
