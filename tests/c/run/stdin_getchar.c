// stdin: The quick brown fox\njumps over\n\nthe lazy dog.
// Words, lines and characters with getchar until EOF.
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int c, lines = 0, words = 0, chars = 0, in = 0;
    while ((c = getchar()) != EOF) {
        chars++;
        lines += c == '\n';
        if (isspace(c))
            in = 0;
        else if (!in) {
            in = 1;
            words++;
        }
    }
    printf("%d %d %d\n", lines, words, chars);
    printf("%d %d %d\n", feof(stdin) != 0, ferror(stdin) != 0, getchar() == EOF);
    return words;
}
