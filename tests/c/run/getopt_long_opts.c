// args: --verbose --size=10 file1 --name bob -s5 --verb --unknown -- --size
// getopt_long: values, abbreviations, short equivalents, flags stored directly.
#include <getopt.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static int verbose;
    static const struct option opts[] = {{"verbose", no_argument, &verbose, 3},
                                         {"size", required_argument, NULL, 's'},
                                         {"name", required_argument, NULL, 'n'},
                                         {NULL, 0, NULL, 0}};
    int c, index = 0;
    opterr = 0;
    while ((c = getopt_long(argc, argv, "s:n:", opts, &index)) != -1)
        switch (c) {
        case 0: printf("flag %s %d\n", opts[index].name, verbose); break;
        case 's': printf("size %s\n", optarg); break;
        case 'n': printf("name %s\n", optarg); break;
        default: printf("bad\n");
        }
    while (optind < argc)
        printf("operand %s\n", argv[optind++]);
    return verbose;
}
