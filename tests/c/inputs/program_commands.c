// A whole program that is driven by words on standard input, one of which is followed by a number.
// function: main
// expect: covered 12 infeasible 0 unknown 0
#include <stdio.h>
#include <string.h>

static unsigned stack[2];

int main(void)
{
    char word[8];
    unsigned number;
    int depth = 0;
    while (scanf("%7s", word) == 1) {
        if (strcmp(word, "push") == 0) {
            if (scanf("%u", &number) != 1)
                return 2;
            if (depth == 2)
                return 3;
            stack[depth++] = number;
        } else if (strcmp(word, "pop") == 0) {
            if (depth == 0)
                return 4;
            depth--;
        } else {
            return 6;
        }
    }
    return depth;
}
