// The C locale and its conventions.
#include <locale.h>
#include <stdio.h>

int main(void)
{
    printf("%s\n", setlocale(LC_ALL, NULL));
    printf("%s\n", setlocale(LC_ALL, "C"));
    struct lconv *l = localeconv();
    printf("[%s] [%s]\n", l->decimal_point, l->thousands_sep);
    printf("%d\n", setlocale(LC_ALL, "xx_no_such") == NULL);
    return 0;
}
