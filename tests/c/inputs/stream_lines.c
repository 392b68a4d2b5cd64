// The content of a stream is an input, as long as the code reads on; a character may be put back.
// function: count_settings
// expect: covered 14 infeasible 0 unknown 0
#include <stdio.h>

int count_settings(FILE *file);
int count_settings(FILE *file)
{
    char line[16];
    int count = 0, c;
    c = fgetc(file);
    if (c == EOF)
        return -1;
    if (c == '#')
        return -2;
    ungetc(c, file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == 'a' && line[1] == '=')
            count++;
        if (line[0] == '\n')
            count += 10;
        // The last line need not end.
        if (feof(file))
            count += 100;
    }
    return count;
}
