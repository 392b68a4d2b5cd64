// Runs end at functions of the system that they do not know, and so do their tests.
// function: release
// expect: covered 4 infeasible 0 unknown 0
#include <dlfcn.h>
#include <stddef.h>

static void *module;
static int users;

int release(void)
{
    if (users > 1)
        return --users;
    if (module != NULL)
        dlclose(module);
    return 0;
}
