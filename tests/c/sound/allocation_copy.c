// A copy needs memory too.
// function: copies
// reachable: 11:9 true
// reachable: 11:9 false
#include <stdlib.h>
#include <string.h>
int copies(void);
int copies(void)
{
    char *text = strdup("text");
    if (text == NULL)
        return 1;
    free(text);
    return 0;
}
