// A file cannot be made, though the name is a good one.
// function: note
// options: --failures all
// expect: covered 6 infeasible 0 unknown 0
#include <stdio.h>

int note(int what);
int note(int what)
{
    FILE *file = fopen("notes", "w");
    if (!file)
        return -1;
    fprintf(file, "%d\n", what);
    fclose(file);
    if (rename("notes", "kept") != 0)
        return -2;
    return remove("kept") == 0 ? 0 : -3;
}
