// Text that is longer than the objects that the search begins with.
// function: check_name
// expect: covered 6 infeasible 0 unknown 0
#include <string.h>

int check_name(const char *name);
int check_name(const char *name)
{
    if (!name)
        return -1;
    if (strlen(name) > 40)
        return 1;
    return name[0] == '#' ? 2 : 0;
}
