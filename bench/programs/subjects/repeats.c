// Drops, counts or selects lines of standard input that repeat the one before, as uniq does.
#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 80 };

static int counts, only_repeated, only_single, fold;
static unsigned long skip_fields, skip_chars, width = 1000;

static unsigned long number(const char *text, const char *what)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || *text == '-') {
        fprintf(stderr, "repeats: %s: %s is no number\n", what, text);
        exit(2);
    }
    return value;
}

static const char *key(const char *line)
{
    unsigned long fields = skip_fields, chars = skip_chars;
    while (fields > 0 && *line != '\0') {
        while (*line == ' ' || *line == '\t')
            line++;
        while (*line != '\0' && *line != ' ' && *line != '\t')
            line++;
        fields--;
    }
    while (chars > 0 && *line != '\0') {
        line++;
        chars--;
    }
    return line;
}

static int same(const char *one, const char *other)
{
    const char *a = key(one), *b = key(other);
    unsigned long i;
    for (i = 0; i < width; i++) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (fold) {
            x = toupper(x);
            y = toupper(y);
        }
        if (x != y)
            return 0;
        if (x == '\0')
            return 1;
    }
    return 1;
}

static void show(const char *line, unsigned long times)
{
    if (only_repeated && times == 1)
        return;
    if (only_single && times > 1)
        return;
    if (counts)
        printf("%7lu ", times);
    puts(line);
}

static int read_line(char *line)
{
    int length = 0, c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (length < LONGEST - 1)
            line[length++] = (char)c;
    }
    line[length] = '\0';
    return c != EOF || length > 0;
}

int main(int argc, char **argv)
{
    char previous[LONGEST], line[LONGEST];
    unsigned long times = 1, lines = 0;
    int option;
    while ((option = getopt(argc, argv, "cduif:s:w:")) != -1) {
        switch (option) {
        case 'c':
            counts = 1;
            break;
        case 'd':
            only_repeated = 1;
            break;
        case 'u':
            only_single = 1;
            break;
        case 'i':
            fold = 1;
            break;
        case 'f':
            skip_fields = number(optarg, "-f");
            break;
        case 's':
            skip_chars = number(optarg, "-s");
            break;
        case 'w':
            width = number(optarg, "-w");
            break;
        default:
            return 2;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "repeats: %s is not read\n", argv[optind]);
        return 2;
    }
    while (read_line(line)) {
        if (lines++ == 0) {
            strcpy(previous, line);
            continue;
        }
        if (same(previous, line)) {
            times++;
            continue;
        }
        show(previous, times);
        strcpy(previous, line);
        times = 1;
    }
    if (lines == 0)
        return 1;
    show(previous, times);
    return 0;
}
