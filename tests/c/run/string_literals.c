// String literals: escapes, concatenation, embedded zeros, as initialisers and as lvalues.
#include <stdio.h>
#include <string.h>

static const char *const msgs[] = {
    [2] = "two",
    [0] = "zero",
};

int main(void)
{
    char a[] = "abc";
    char b[8] = "abc";
    char c[3] = {'x', 'y', 'z'};
    const char *p = "con" "cat" "en"
                    "ated";
    printf("%zu %zu %zu %s\n", sizeof a, sizeof b, sizeof c, p);
    printf("%d %d\n", b[3], b[7]);
    a[0] = 'A';
    puts(a);
    printf("%zu %zu\n", sizeof "a\0b", strlen("a\0b"));
    printf("tab\there \"quoted\" back\\slash \x41\102\u00e9\n");
    printf("%c %c\n", "hello"[1], 4["world"]);
    printf("%s %s %d\n", msgs[0], msgs[2], msgs[1] == NULL);
    printf("%s\n", &"offset string"[7]);
    printf("%s %zu\n", __func__, sizeof __func__);
    const char multi[][6] = {"one", "two", "three"};
    for (int i = 0; i < 3; i++)
        printf("%s%c", multi[i], i < 2 ? ',' : '\n');
    printf("%.2s|%5s|%-5s|\n", "truncate", "ab", "cd");
    puts("caf\xc3\xa9 and trigraphs ?\?=");
    return (int)strlen(p);
}
