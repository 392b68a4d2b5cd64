// A whole program without an end: a machine with a few states, which goes on when its input has ended.
// function: main
// expect: covered 12 infeasible 0 unknown 0
#include <stdio.h>

int main(void)
{
    int state = 0;
    for (;;) {
        int event = getchar();
        if (state == 0 && event == 'o') {
            state = 1;
        } else if (state == 1 && event == 'k') {
            state = 2;
        } else if (state == 2 && event == EOF) {
            state = 0;
            puts("over");
        }
    }
}
