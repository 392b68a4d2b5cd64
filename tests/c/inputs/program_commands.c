// A whole program that is driven by words on standard input, some of which are followed by a number.
// function: main
// expect: covered 16 infeasible 0 unknown 0
#include <stdio.h>
#include <string.h>

static unsigned stack[3];

int main(void)
{
    char word[12];
    unsigned number;
    int depth = 0;
    while (scanf("%11s", word) == 1) {
        if (strcmp(word, "push") == 0) {
            if (scanf("%u", &number) != 1)
                return 2;
            if (depth == 3)
                return 3;
            stack[depth++] = number;
        } else if (strcmp(word, "pop") == 0) {
            if (depth == 0)
                return 4;
            depth--;
        } else if (strcmp(word, "add") == 0) {
            if (depth < 2)
                return 5;
            depth--;
            stack[depth - 1] += stack[depth];
        } else {
            return 6;
        }
    }
    return depth;
}
