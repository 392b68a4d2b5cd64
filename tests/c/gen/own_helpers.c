// What suites have to get right around the code: names that libraries of frameworks have, too, lists of arguments, pointers that are
// restricted, what a `void *` in a new object stands for, and places of setjmp.
// function: record
// expect: covered 16 infeasible 0 unknown 0
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void *emalloc(size_t size);
void print_error(const char *format, va_list list);
int parse(const char *restrict text, const char *restrict format, int *value);

struct counts {
    int made, failed;
    double share;
};

struct log {
    void *own;
    const char *name;
};

static jmp_buf again;
static int depth;

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_error(format, list);
    va_end(list);
}

static int pack(int high, int low)
{
    return high * 256 + low;
}

static struct log *copy(const struct log *from)
{
    const struct counts *counts = (const struct counts *)from->own;
    struct log *to = calloc(1, sizeof *to);
    if (to == NULL)
        return NULL;
    struct counts *own = malloc(sizeof *own);
    if (own != NULL) {
        *own = *counts;
        own->made++;
    }
    to->own = own;
    return to;
}

struct log *record(const struct log *from, const char *text)
{
    int value = 0;
    if (from == NULL || from->own == NULL)
        return NULL;
    if (setjmp(again) != 0)
        return NULL;
    if (parse(text, "%d", &value) != 1) {
        say("%s", text);
        return NULL;
    }
    if (pack(value & 255, 3) == 515)
        depth = value;
    if (emalloc(16) == NULL)
        longjmp(again, 1);
    return copy(from);
}
