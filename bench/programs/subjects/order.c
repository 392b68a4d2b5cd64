// Sorts the lines of standard input: by text, number or length, the other way round, each once.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 16, LONGEST = 64 };

struct line {
    char *text;
    size_t length;
    long number;
};

static struct {
    int numeric, reverse, unique, by_length, fold, check;
} options;

static int fold_compare(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        int x = tolower((unsigned char)*a), y = tolower((unsigned char)*b);
        if (x != y)
            return x < y ? -1 : 1;
    }
    if (*a == *b)
        return 0;
    return *a == '\0' ? -1 : 1;
}

static int compare(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    int result = 0;
    if (options.numeric)
        result = (a->number > b->number) - (a->number < b->number);
    if (result == 0 && options.by_length)
        result = (a->length > b->length) - (a->length < b->length);
    if (result == 0)
        result = options.fold ? fold_compare(a->text, b->text) : strcmp(a->text, b->text);
    return options.reverse ? -result : result;
}

static void sort(struct line *lines, int count)
{
    int i, j;
    for (i = 1; i < count; i++) {
        struct line moved = lines[i];
        for (j = i; j > 0 && compare(&lines[j - 1], &moved) > 0; j--)
            lines[j] = lines[j - 1];
        lines[j] = moved;
    }
}

static int read_lines(struct line *lines)
{
    char buffer[LONGEST];
    int count = 0;
    while (fgets(buffer, sizeof buffer, stdin) != NULL) {
        struct line *line = &lines[count];
        char *end = strchr(buffer, '\n');
        if (count == MOST_LINES) {
            fputs("order: too many lines\n", stderr);
            return -1;
        }
        if (end != NULL)
            *end = '\0';
        line->length = strlen(buffer);
        line->text = malloc(line->length + 1);
        if (line->text == NULL) {
            fputs("order: no memory\n", stderr);
            return -1;
        }
        memcpy(line->text, buffer, line->length + 1);
        line->number = atol(buffer);
        count++;
    }
    return count;
}

static int check(const struct line *lines, int count)
{
    int i;
    for (i = 1; i < count; i++) {
        int order = compare(&lines[i - 1], &lines[i]);
        if (order > 0 || (order == 0 && options.unique)) {
            printf("order: disorder at line %d: %s\n", i + 1, lines[i].text);
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct line lines[MOST_LINES + 1];
    int count, status = 0, i;
    for (i = 1; i < argc; i++) {
        const char *flag = argv[i];
        if (*flag++ != '-' || *flag == '\0') {
            fprintf(stderr, "order: what is %s?\n", argv[i]);
            return 2;
        }
        for (; *flag != '\0'; flag++) {
            switch (*flag) {
            case 'n': options.numeric = 1; break;
            case 'r': options.reverse = 1; break;
            case 'u': options.unique = 1; break;
            case 'l': options.by_length = 1; break;
            case 'f': options.fold = 1; break;
            case 'c': options.check = 1; break;
            default:
                fprintf(stderr, "order: no option %c\n", *flag);
                return 2;
            }
        }
    }
    count = read_lines(lines);
    if (count < 0)
        return 2;
    if (options.check) {
        status = check(lines, count);
    } else {
        sort(lines, count);
        for (i = 0; i < count; i++) {
            if (!options.unique || i == 0 || compare(&lines[i - 1], &lines[i]) != 0)
                puts(lines[i].text);
        }
    }
    for (i = 0; i < count; i++)
        free(lines[i].text);
    return status;
}
