// Looks for a pattern in files, or in standard input: `.` is any character, `*` repeats the one before, `^` and `$` are the ends.
// options: --file notes=24
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 48 };

static int fold, invert, number, count_only, names;

static int one(int pattern, int c)
{
    if (c == '\0')
        return 0;
    if (pattern == '.')
        return 1;
    if (fold)
        return tolower(pattern) == tolower(c);
    return pattern == c;
}

static int match_here(const char *pattern, const char *text);

static int match_star(int c, const char *pattern, const char *text)
{
    do {
        if (match_here(pattern, text))
            return 1;
    } while (one(c, (unsigned char)*text++));
    return 0;
}

static int match_here(const char *pattern, const char *text)
{
    if (pattern[0] == '\0')
        return 1;
    if (pattern[1] == '*')
        return match_star((unsigned char)pattern[0], pattern + 2, text);
    if (pattern[0] == '$' && pattern[1] == '\0')
        return *text == '\0';
    if (one((unsigned char)pattern[0], (unsigned char)*text))
        return match_here(pattern + 1, text + 1);
    return 0;
}

static int match(const char *pattern, const char *text)
{
    if (pattern[0] == '^')
        return match_here(pattern + 1, text);
    do {
        if (match_here(pattern, text))
            return 1;
    } while (*text++ != '\0');
    return 0;
}

static long search(const char *pattern, FILE *file, const char *name)
{
    char line[LONGEST];
    long found = 0, lines = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        size_t length = strlen(line);
        lines++;
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = '\0';
        if (match(pattern, line) == invert)
            continue;
        found++;
        if (count_only)
            continue;
        if (names)
            printf("%s:", name);
        if (number)
            printf("%ld:", lines);
        puts(line);
    }
    if (count_only) {
        if (names)
            printf("%s:", name);
        printf("%ld\n", found);
    }
    return found;
}

int main(int argc, char **argv)
{
    const char *pattern;
    long found = 0;
    int i, missing = 0;
    for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
        const char *flag = argv[i] + 1;
        for (; *flag != '\0'; flag++) {
            switch (*flag) {
            case 'i':
                fold = 1;
                break;
            case 'v':
                invert = 1;
                break;
            case 'n':
                number = 1;
                break;
            case 'c':
                count_only = 1;
                break;
            default:
                fprintf(stderr, "find_text: no flag %c\n", *flag);
                return 2;
            }
        }
    }
    if (i >= argc) {
        fputs("find_text: what to look for?\n", stderr);
        return 2;
    }
    pattern = argv[i++];
    if (i == argc)
        found = search(pattern, stdin, "(input)");
    names = argc - i > 1;
    for (; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        if (file == NULL) {
            fprintf(stderr, "find_text: %s cannot be read\n", argv[i]);
            missing = 1;
            continue;
        }
        found += search(pattern, file, argv[i]);
        fclose(file);
    }
    if (missing)
        return 2;
    return found == 0;
}
