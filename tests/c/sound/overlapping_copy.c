// strcpy of a text onto itself, which C leaves undefined.
// function: rename_item
// reachable: 16:9 true
// reachable: 16:9 false
// reachable: 18:9 true
// reachable: 18:9 false
#include <string.h>

struct item {
    char *name;
};

int rename_item(struct item *item, const char *name);
int rename_item(struct item *item, const char *name)
{
    if (!item || !item->name || !name)
        return -1;
    if (strlen(name) > strlen(item->name))
        return -2;
    strcpy(item->name, name);
    return 0;
}
