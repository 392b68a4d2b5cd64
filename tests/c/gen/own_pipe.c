// What suites need themselves (pipe, dup2, tmpfile), where the code calls it and runs end there.
// function: collect
// expect: covered 6 infeasible 0 unknown 0
#include <stdio.h>
#include <unistd.h>

int collect(FILE *from, int mode)
{
    int ends[2];
    FILE *to;
    if (mode == 1)
        return pipe(ends);
    if (mode == 2) {
        to = tmpfile();
        return to == NULL;
    }
    printf("mode %d\n", mode);
    return from == NULL ? -1 : fgetc(from);
}
