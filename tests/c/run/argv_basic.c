// args: one "two words" '' "quo\"te" --flag=3 -- last
// Arguments arrive unchanged; argv ends with a null pointer.
#include <stdio.h>

int main(int argc, char **argv)
{
    printf("%d\n", argc);
    for (int i = 1; i < argc; i++)
        printf("%d [%s]\n", i, argv[i]);
    printf("%d\n", argv[argc] == NULL);
    for (char *p = argv[1]; *p; p++)
        *p = (char)(*p - 32);
    puts(argv[1]);
    return argc;
}
