// expect: trap null-pointer 9
// native: address
// Behind the last argument stands a null pointer.
#include <stdio.h>

int main(int argc, char **argv)
{
    char *missing = argv[argc];
    return missing[0];
}
