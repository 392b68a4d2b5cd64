// args: -a -b value -cjoined -xyz -n 12 rest -a more
// The function getopt: flags, values, grouped flags, an unknown option, operands moved to the end.
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int c;
    opterr = 0;
    while ((c = getopt(argc, argv, ":ab:c:xyn:")) != -1)
        switch (c) {
        case '?': printf("unknown %c\n", optopt); break;
        case ':': printf("missing %c\n", optopt); break;
        case 'b': case 'c': case 'n': printf("%c=%s\n", c, optarg); break;
        default: printf("%c\n", c);
        }
    for (; optind < argc; optind++)
        printf("operand %s\n", argv[optind]);
    return 0;
}
