// A table of functions that has the C library's from the start.
// function: duplicate
// expect: covered 6 infeasible 0 unknown 0
#include <stdlib.h>
#include <string.h>

static struct {
    void *(*get)(size_t);
    void (*give_back)(void *);
} hooks = {malloc, free};

char *duplicate(const char *text);
char *duplicate(const char *text)
{
    if (!text || !hooks.get)
        return NULL;
    char *copy = hooks.get(strlen(text) + 1);
    if (copy)
        strcpy(copy, text);
    return copy;
}

void replace_hooks(void *(*get)(size_t), void (*give_back)(void *));
void replace_hooks(void *(*get)(size_t), void (*give_back)(void *))
{
    hooks.get = get;
    hooks.give_back = give_back;
}
