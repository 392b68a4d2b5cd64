// A whole program that does harm before it looks at anything.
// case: main exit 0|1
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    FILE *file = fopen(CANARY, "w");
    if (file != NULL) {
        fputs(argv[0], file);
        fclose(file);
    }
    if (argc > 1 && fork() == 0)
        remove(CANARY);
    if (getenv("HOME") != NULL)
        return system("rm -rf " FOLDER) != 0;
    return 0;
}
