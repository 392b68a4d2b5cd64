// A whole program that is driven by words on standard input.
// function: main
// expect: covered 10 infeasible 0 unknown 0
#include <stdio.h>
#include <string.h>

int main(void)
{
    char word[8];
    int open = 0;
    while (scanf("%7s", word) == 1) {
        if (strcmp(word, "open") == 0) {
            if (open)
                return 2;
            open = 1;
        } else if (strcmp(word, "close") == 0) {
            if (!open)
                return 3;
            open = 0;
        } else {
            return 4;
        }
    }
    return open;
}
