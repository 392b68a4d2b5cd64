// A whole program that needs longer arguments, and more of them, than are tried at first.
// function: main
// expect: covered 6 infeasible 0 unknown 0
#include <string.h>

int main(int argc, char **argv)
{
    int i, long_ones = 0;
    for (i = 1; i < argc; i++) {
        if (strlen(argv[i]) > 18)
            long_ones++;
    }
    if (argc > 6)
        return 2;
    return long_ones;
}
