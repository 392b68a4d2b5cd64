// string.h: lengths, copies, concatenation, comparison.
#include <stdio.h>
#include <string.h>

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void)
{
    char a[32] = "hello", b[32];
    printf("%zu %zu %zu\n", strlen(""), strlen(a), strnlen(a, 3));
    strcpy(b, a);
    strcat(b, ", ");
    strncat(b, "world and more", 5);
    puts(b);
    char c[8];
    memset(c, 'x', sizeof c);
    strncpy(c, "ab", 5);
    printf("%d %d %c\n", c[2], c[4], c[5]);
    strncpy(c, "abcdefghijk", 8);
    printf("%.8s\n", c);
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("same", "same"),
           sign(strcmp("abc", "ab")));
    printf("%d %d %d\n", strncmp("abcx", "abcy", 3), sign(strncmp("abcx", "abcy", 4)), strncmp("a", "b", 0));
    printf("%d\n", sign(strcmp("\xff", "a")));
    printf("%s\n", stpcpy(b, "end") - 3);
    char *d = strdup("copied");
    char *e = strndup("copied", 3);
    printf("%s %s %zu\n", d, e, strlen(e));
    __builtin_free(d);
    __builtin_free(e);
    printf("%d %d\n", sign(__builtin_strcmp(a, "hellp")), (int)__builtin_strlen("built in"));
    printf("%d %d\n", strcoll("x", "x"), sign(strcoll("x", "y")));
    char x[10];
    printf("%zu\n", strxfrm(x, "abc", sizeof x));
    return (int)strlen(b);
}
