// A locale may be there.
// function: chooses
// reachable: 10:9 true
// reachable: 10:9 false
#include <locale.h>
#include <stddef.h>
int chooses(void);
int chooses(void)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") != NULL)
        return 1;
    return 0;
}
