// stdin: abcdefghijklmnopqrstuvwxyz\x00\x01\xff0123
// fread in blocks, binary bytes included, after a getc and an ungetc.
#include <stdio.h>

int main(void)
{
    int c = getc(stdin);
    printf("%c\n", c);
    ungetc('A', stdin);
    unsigned char buf[7];
    size_t n;
    while ((n = fread(buf, 1, sizeof buf, stdin)) > 0) {
        printf("%zu:", n);
        for (size_t i = 0; i < n; i++)
            printf(" %02x", buf[i]);
        putchar('\n');
    }
    printf("%d\n", feof(stdin) != 0);
    return 0;
}
