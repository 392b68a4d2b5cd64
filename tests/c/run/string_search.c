// flags: -D_GNU_SOURCE
// string.h: searching and splitting.
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void at(const char *base, const char *p)
{
    if (p)
        printf("%td ", p - base);
    else
        printf("- ");
}

int main(void)
{
    const char *s = "the cat sat on the mat";
    at(s, strchr(s, 'c'));
    at(s, strchr(s, 'z'));
    at(s, strchr(s, 0));
    at(s, strrchr(s, 't'));
    at(s, strstr(s, "the"));
    at(s, strstr(s + 1, "the"));
    at(s, strstr(s, ""));
    at(s, strstr(s, "mate"));
    at(s, strpbrk(s, "nms"));
    at(s, memchr(s, 'a', 5));
    at(s, memchr(s, 'a', 6));
    at(s, strcasestr(s, "SAT"));
    at(s, strchrnul(s, '!'));
    at(s, memrchr(s, 't', 10));
    putchar('\n');
    printf("%zu %zu %zu\n", strspn(s, "eht "), strcspn(s, "mn"), strspn("", "a"));
    char text[] = ",one,,two;three,";
    for (char *p = strtok(text, ",;"); p; p = strtok(NULL, ",;"))
        printf("[%s]", p);
    putchar('\n');
    char again[] = "a b  c", *save;
    for (char *p = strtok_r(again, " ", &save); p; p = strtok_r(NULL, " ", &save))
        printf("[%s]", p);
    putchar('\n');
    char fields[] = "x::y:", *rest = fields, *f;
    while ((f = strsep(&rest, ":")))
        printf("[%s]", f);
    putchar('\n');
    printf("%d %d %d\n", strcasecmp("HeLLo", "hEllO"), strncasecmp("ABCx", "abcy", 3), strcasecmp("a", "B") < 0);
    return 0;
}
