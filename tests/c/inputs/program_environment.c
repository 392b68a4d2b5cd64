// A whole program with an environment: which variables it has, and their values. What nobody speaks of may be there all the same.
// function: main
// options: --env LEVEL=3 --env NAME=8
// expect: covered 11 infeasible 0 unknown 1
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *level = getenv("LEVEL"), *name = getenv("NAME");
    if (level == NULL)
        return 1;
    if (level[0] == '\0')
        return 2;
    if (name != NULL && strcmp(name, "root") == 0)
        return 3;
    if (getenv("OTHER") != NULL)
        return 4;
    return atoi(level) > 120 ? 5 : 0;
}
