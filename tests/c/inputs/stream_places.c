// A stream that the code reads as numbers, goes about in, writes to and closes.
// function: update
// expect: covered 12 infeasible 0 unknown 0
#include <stdio.h>

struct record {
    short kind;
    short size;
};

int update(FILE *file, int add);
int update(FILE *file, int add)
{
    struct record record;
    long size;
    int c, found = 0;
    if (!file)
        return -1;
    if (fread(&record, sizeof record, 1, file) != 1) {
        fclose(file);
        return -2;
    }
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    if (record.kind == 300 && record.size == size)
        found = 1;
    if (add) {
        fputc('!', file);
        rewind(file);
        while ((c = getc(file)) != EOF)
            found += c == '!';
    }
    return found;
}
