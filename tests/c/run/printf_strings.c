// The function printf: strings with width and precision; puts, fputs, fwrite, putchar results.
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *s = "string";
    printf("[%s] [%10s] [%-10s] [%.3s] [%10.3s] [%-10.3s] [%.0s] [%.*s]\n", s, s, s, s, s, s, s, 2, s);
    char not_ended[3] = {'a', 'b', 'c'};
    printf("[%.3s]\n", not_ended);
    printf("%s %s\n", "", "after empty");
    char long_text[3000];
    memset(long_text, 'L', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    printf("%d\n", printf("%s\n", long_text));
    printf("%d\n", fputs("fputs\n", stdout) >= 0);
    printf("%d\n", putchar('c'));
    printf("%zu\n", fwrite("12345678", 2, 4, stdout));
    printf("100%% of %c%c%c\n", 'a', 0x62, 'c');
    fprintf(stdout, "%-20s|%20s|\n", "left", "right");
    return 0;
}
