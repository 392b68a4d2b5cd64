// A whole program that reads a file: whether it is there, and what is in it.
// function: main
// options: --file settings=24
// expect: covered 16 infeasible 0 unknown 0
#include <stdio.h>

int main(void)
{
    char line[10];
    int rate = 0, lines = 0;
    FILE *file = fopen("settings", "r");
    if (file == NULL)
        return 1;
    while (fgets(line, sizeof line, file) != NULL) {
        lines++;
        if (sscanf(line, "rate=%d", &rate) == 1)
            continue;
        if (line[0] != '\n') {
            fclose(file);
            return 2;
        }
    }
    fseek(file, 0, SEEK_END);
    if (ftell(file) > 12)
        puts("long");
    rewind(file);
    if (fgetc(file) == EOF)
        puts("empty");
    fclose(file);
    return rate == 75 && lines == 2 ? 3 : 0;
}
