// A tokenizer over a temporary file that pushes characters back.
#include <ctype.h>
#include <stdio.h>

static int token(FILE *f, char *buf)
{
    int c;
    do
        c = getc(f);
    while (isspace(c));
    if (c == EOF)
        return 0;
    int n = 0;
    if (isdigit(c)) {
        while (isdigit(c)) {
            buf[n++] = (char)c;
            c = getc(f);
        }
        ungetc(c, f);
    } else if (isalpha(c)) {
        do
            buf[n++] = (char)c;
        while (isalnum(c = getc(f)));
        ungetc(c, f);
    } else {
        buf[n++] = (char)c;
    }
    buf[n] = 0;
    return n;
}

int main(void)
{
    FILE *f = tmpfile();
    fputs("let x1 = 42+(y2*7)-z;", f);
    rewind(f);
    char buf[32];
    while (token(f, buf))
        printf("<%s>", buf);
    putchar('\n');
    rewind(f);
    ungetc('!', f);
    printf("%c%c\n", getc(f) == '!' ? 'y' : 'n', 'e');
    fseek(f, 4, SEEK_SET);
    int c = getc(f);
    ungetc(c, f);
    printf("%ld %c\n", ftell(f), c);
    fclose(f);
    return 0;
}
