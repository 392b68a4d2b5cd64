// Statistics of a table of numbers on standard input, with a header and fields between commas.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 4, LONGEST = 60, LONGEST_NAME = 12 };

struct column {
    char name[LONGEST_NAME];
    long count, missing, sum, least, most;
};

static struct column columns[MOST_COLUMNS];
static int column_count;

static int fail(int line, const char *what)
{
    fprintf(stderr, "table: line %d: %s\n", line, what);
    return 1;
}

static int read_header(char *line)
{
    char *name = strtok(line, ",\n");
    while (name != NULL) {
        int i;
        if (column_count == MOST_COLUMNS)
            return fail(1, "too many columns");
        if (strlen(name) >= LONGEST_NAME)
            return fail(1, "too long a name");
        for (i = 0; i < column_count; i++) {
            if (strcmp(columns[i].name, name) == 0)
                return fail(1, "two columns have one name");
        }
        strcpy(columns[column_count++].name, name);
        name = strtok(NULL, ",\n");
    }
    return column_count == 0 ? fail(1, "no columns") : 0;
}

static void add(struct column *column, long value)
{
    if (column->count == 0 || value < column->least)
        column->least = value;
    if (column->count == 0 || value > column->most)
        column->most = value;
    column->sum += value;
    column->count++;
}

static int read_field(struct column *column, const char *text, int line)
{
    char *end;
    long value;
    while (*text == ' ')
        text++;
    if (*text == '\0' || strcmp(text, "-") == 0) {
        column->missing++;
        return 0;
    }
    value = strtol(text, &end, 10);
    if (end == text)
        return fail(line, "not a number");
    while (isspace((unsigned char)*end))
        end++;
    if (*end == 'k') {
        value *= 1000;
        end++;
    } else if (*end == '%') {
        if (value < 0 || value > 100)
            return fail(line, "no such share");
        end++;
    }
    if (*end != '\0')
        return fail(line, "something behind a number");
    if (value > 1000000 || value < -1000000)
        return fail(line, "too large a number");
    add(column, value);
    return 0;
}

static int read_row(char *line, int number)
{
    int column = 0;
    char *start = line;
    for (;;) {
        char *comma = strchr(start, ',');
        if (comma != NULL)
            *comma = '\0';
        if (column == column_count)
            return fail(number, "too many fields");
        if (read_field(&columns[column++], start, number) != 0)
            return 1;
        if (comma == NULL)
            break;
        start = comma + 1;
    }
    return column < column_count ? fail(number, "too few fields") : 0;
}

static void show(const struct column *column)
{
    if (column->count == 0) {
        printf("%s: nothing\n", column->name);
        return;
    }
    printf("%s: %ld values from %ld to %ld, mean %.2f", column->name, column->count, column->least, column->most,
           (double)column->sum / (double)column->count);
    if (column->missing > 0)
        printf(", %ld missing", column->missing);
    putchar('\n');
}

int main(int argc, char **argv)
{
    char line[LONGEST];
    int number = 1, i;
    const char *only = argc > 1 ? argv[1] : NULL;
    if (argc > 2)
        return fail(0, "one column at most");
    if (fgets(line, sizeof line, stdin) == NULL)
        return fail(1, "no header");
    if (read_header(line) != 0)
        return 2;
    while (fgets(line, sizeof line, stdin) != NULL) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (read_row(line, number) != 0)
            return 3;
    }
    for (i = 0; i < column_count; i++) {
        if (only == NULL || strcmp(only, columns[i].name) == 0) {
            show(&columns[i]);
            if (only != NULL)
                return 0;
        }
    }
    return only == NULL ? 0 : fail(number, "no such column");
}
