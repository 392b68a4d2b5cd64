// A whole program: which arguments it gets, and what they are.
// function: main
// expect: covered 24 infeasible 0 unknown 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int area(const char *text, int *width, int *height)
{
    char *end;
    *width = (int)strtol(text, &end, 10);
    if (end == text || *end != 'x')
        return 0;
    *height = atoi(end + 1);
    return *width > 0 && *height > 0;
}

int main(int argc, char **argv)
{
    int width = 0, height = 0, round = 0, i;
    for (i = 1; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "-r") == 0) {
            round = 1;
        } else if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        } else {
            fprintf(stderr, "unknown option %s\n", argv[i]);
            return 2;
        }
    }
    if (argc - i != 1) {
        fprintf(stderr, "usage: area [-r] WxH\n");
        return 2;
    }
    if (!area(argv[i], &width, &height))
        return 3;
    if (round && width == height)
        puts("circle");
    printf("%d\n", width * height);
    return 0;
}
