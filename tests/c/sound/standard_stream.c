// A caller may pass a standard stream, one that ended, that failed or that cannot be read, and one with more in it than is tried.
// function: kind_of
// reachable: 14:9 true
// reachable: 14:9 false
// reachable: 16:9 true
// reachable: 16:9 false
// reachable: 20:9 true
// reachable: 20:9 false
#include <stdio.h>
int kind_of(FILE *file);
int kind_of(FILE *file)
{
    int count = 0;
    if (file == stdin)
        return 1;
    if (ferror(file))
        return 2;
    while (count <= 5000 && fgetc(file) != EOF)
        count++;
    if (count > 5000)
        return 3;
    return 0;
}
