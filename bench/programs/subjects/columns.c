// Prints chosen fields of each line of standard input, as cut does.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANGES = 8, LONGEST_LINE = 128 };

struct range {
    long first, last;
};

struct options {
    struct range ranges[MOST_RANGES];
    int count;
    char delimiter;
    int only_delimited;
    int complement;
};

static int fail(const char *what, const char *which)
{
    fprintf(stderr, "columns: %s: %s\n", what, which);
    return 1;
}

static int read_number(const char **text, long *number)
{
    char *end;
    if (**text < '0' || **text > '9')
        return 0;
    errno = 0;
    *number = strtol(*text, &end, 10);
    if (errno == ERANGE || *number == 0)
        return 0;
    *text = end;
    return 1;
}

static int read_range(const char **text, struct range *range)
{
    range->first = 1;
    range->last = -1;
    if (**text == '-') {
        ++*text;
        return read_number(text, &range->last);
    }
    if (!read_number(text, &range->first))
        return 0;
    range->last = range->first;
    if (**text != '-')
        return 1;
    ++*text;
    range->last = -1;
    if (**text == ',' || **text == '\0')
        return 1;
    return read_number(text, &range->last) && range->last >= range->first;
}

static int read_ranges(const char *text, struct options *options)
{
    for (;;) {
        if (options->count == MOST_RANGES)
            return 0;
        if (!read_range(&text, &options->ranges[options->count++]))
            return 0;
        if (*text == '\0')
            return 1;
        if (*text++ != ',')
            return 0;
    }
}

static int is_wanted(const struct options *options, long field)
{
    int i, found = 0;
    for (i = 0; i < options->count && !found; i++) {
        const struct range *range = &options->ranges[i];
        found = field >= range->first && (range->last < 0 || field <= range->last);
    }
    return found != options->complement;
}

static void cut(const struct options *options, char *line)
{
    long field = 1;
    int printed = 0;
    char *start = line, *at;
    if (strchr(line, options->delimiter) == NULL) {
        if (!options->only_delimited)
            puts(line);
        return;
    }
    for (at = line;; at++) {
        if (*at != options->delimiter && *at != '\0')
            continue;
        if (is_wanted(options, field)) {
            if (printed)
                putchar(options->delimiter);
            fwrite(start, 1, (size_t)(at - start), stdout);
            printed = 1;
        }
        if (*at == '\0')
            break;
        start = at + 1;
        field++;
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    struct options options = {.delimiter = '\t'};
    char line[LONGEST_LINE];
    int i;
    for (i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-f", 2) == 0) {
            const char *list = argv[i][2] != '\0' ? argv[i] + 2 : argv[++i];
            if (list == NULL)
                return fail("no list", "-f");
            if (!read_ranges(list, &options))
                return fail("not a list", list);
        } else if (strncmp(argv[i], "-d", 2) == 0) {
            if (argv[i][2] == '\0' || argv[i][3] != '\0')
                return fail("one character delimits", argv[i]);
            options.delimiter = argv[i][2];
        } else if (strcmp(argv[i], "-s") == 0) {
            options.only_delimited = 1;
        } else if (strcmp(argv[i], "-v") == 0) {
            options.complement = 1;
        } else {
            return fail("unknown option", argv[i]);
        }
    }
    if (options.count == 0)
        return fail("which fields", "-f");
    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t length = strlen(line);
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = '\0';
        else if (!feof(stdin))
            return fail("too long a line", line);
        cut(&options, line);
    }
    return 0;
}
