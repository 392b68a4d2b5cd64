// A loop whose blocks have one way out each, around a division: the way to its only failure comes from before the loop.
// function: spin
// options: -c runtime-error
// reachable: 22:20 division-by-zero
#include <stdlib.h>
static int sum;

static void stop_after(int turns)
{
    if (turns > 4)
        exit(0);
}

void spin(int n);
void spin(int n)
{
    int k = 0;
    if (n == 77)
        k = 3;
    for (int i = 1;; i++) {
        stop_after(i);
        sum += 100 / (k - i);
    }
}
