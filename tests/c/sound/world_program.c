// A whole program: a file and a variable that nobody spoke of may be there, and a file, an argument and standard input may be longer than
// what is tried.
// function: main
// options: --file notes=2 --args 1:3 --stdin 4
// reachable: 20:9 true
// reachable: 20:9 false
// reachable: 22:9 true
// reachable: 24:69 true
// reachable: 26:9 true
// reachable: 28:21 true
// reachable: 30:52 true
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    FILE *notes = fopen("notes", "r"), *other = fopen("other", "r");
    char text[16] = "";
    if (other != NULL)
        return 1;
    if (getenv("MODE") != NULL)
        return 2;
    if (notes != NULL && fgets(text, sizeof text, notes) != NULL && strlen(text) > 5)
        return 3;
    if (argc > 2)
        return 4;
    if (argc > 1 && strlen(argv[1]) > 6)
        return 5;
    if (fgets(text, sizeof text, stdin) != NULL && strlen(text) > 8)
        return 6;
    return 0;
}
