// A list that the code frees, node by node, with what the nodes own. One list may not end, and one node may be there twice: contracts.
// function: list_free
// expect: covered 6 infeasible 0 unknown 0
#include <stdlib.h>

struct node {
    int kind;
    char *name;
    struct node *next;
};

int list_free(struct node *list);
int list_free(struct node *list)
{
    int named = 0;
    while (list) {
        struct node *next = list->next;
        if (list->kind == 7 && list->name[0] == 'x')
            named++;
        free(list->name);
        free(list);
        list = next;
    }
    return named;
}
