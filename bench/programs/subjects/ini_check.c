// Checks an INI file with includes: sections, keys, values, what is set twice, and how deep includes go.
// options: --file main.ini=40 --file more.ini=24
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 40, MOST_KEYS = 8, DEEPEST = 3 };

struct key {
    char section[12];
    char name[12];
};

static struct key keys[MOST_KEYS];
static int key_count, problems;
static char section[12];

static void complain(const char *file, int line, const char *what)
{
    printf("%s:%d: %s\n", file, line, what);
    problems++;
}

static char *trim(char *text)
{
    char *end;
    while (isspace((unsigned char)*text))
        text++;
    end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return text;
}

static int is_name(const char *text)
{
    if (!isalpha((unsigned char)*text))
        return 0;
    for (; *text != '\0'; text++) {
        if (!isalnum((unsigned char)*text) && *text != '_')
            return 0;
    }
    return 1;
}

static int remember(const char *name)
{
    int i;
    for (i = 0; i < key_count; i++) {
        if (strcmp(keys[i].section, section) == 0 && strcmp(keys[i].name, name) == 0)
            return 0;
    }
    if (key_count == MOST_KEYS)
        return -1;
    strcpy(keys[key_count].section, section);
    strcpy(keys[key_count].name, name);
    key_count++;
    return 1;
}

static void check_file(const char *name, int depth);

static void check_section(const char *file, int number, char *text)
{
    char *end = strchr(text, ']');
    if (end == NULL || end[1] != '\0') {
        complain(file, number, "a section without an end");
        return;
    }
    *end = '\0';
    text = trim(text);
    if (!is_name(text) || strlen(text) >= sizeof section)
        complain(file, number, "no name for a section");
    else
        strcpy(section, text);
}

static void check_value(const char *file, int number, const char *value)
{
    size_t length = strlen(value);
    if (length == 0) {
        complain(file, number, "no value");
    } else if (value[0] == '"') {
        if (length == 1 || value[length - 1] != '"')
            complain(file, number, "a quote without an end");
    } else if (isdigit((unsigned char)value[0])) {
        char *end;
        strtoul(value, &end, 10);
        if (*end != '\0')
            complain(file, number, "not a number");
    }
}

static void check_key(const char *file, int number, char *text)
{
    char *equals = strchr(text, '='), *name;
    if (equals == NULL) {
        complain(file, number, "neither a key nor a section");
        return;
    }
    *equals = '\0';
    name = trim(text);
    if (!is_name(name) || strlen(name) >= sizeof keys[0].name) {
        complain(file, number, "no name for a key");
        return;
    }
    if (section[0] == '\0')
        complain(file, number, "a key outside of a section");
    switch (remember(name)) {
    case 0:
        complain(file, number, "set twice");
        break;
    case -1:
        complain(file, number, "too many keys");
        break;
    default:
        break;
    }
    check_value(file, number, trim(equals + 1));
}

static void check_line(const char *file, int number, char *text, int depth)
{
    if (*text == '\0' || *text == ';')
        return;
    if (*text == '[') {
        check_section(file, number, text + 1);
    } else if (strncmp(text, "!include ", 9) == 0) {
        if (depth == DEEPEST)
            complain(file, number, "includes are too deep");
        else
            check_file(trim(text + 9), depth + 1);
    } else {
        check_key(file, number, text);
    }
}

static void check_file(const char *name, int depth)
{
    char line[LONGEST], copy[LONGEST];
    int number = 0;
    FILE *file = fopen(name, "r");
    strncpy(copy, name, sizeof copy - 1);
    copy[sizeof copy - 1] = '\0';
    if (file == NULL) {
        complain(copy, 0, "cannot be read");
        return;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        number++;
        if (strchr(line, '\n') == NULL && !feof(file)) {
            complain(copy, number, "too long a line");
            break;
        }
        check_line(copy, number, trim(line), depth);
    }
    fclose(file);
}

int main(void)
{
    check_file("main.ini", 1);
    if (problems > 0) {
        printf("%d problems\n", problems);
        return 1;
    }
    puts("good");
    return 0;
}
