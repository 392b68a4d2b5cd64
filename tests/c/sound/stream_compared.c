// Nothing is done with a stream but to ask which one it is.
// function: is_standard
// reachable: 9:9 true
// reachable: 9:9 false
#include <stdio.h>
int is_standard(FILE *file, FILE *other);
int is_standard(FILE *file, FILE *other)
{
    if (file == stdout)
        return 1;
    return file == other;
}
