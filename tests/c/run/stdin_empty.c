// Standard input that is empty.
#include <stdio.h>
int main(void)
{
    char buf[8];
    int n = 5;
    printf("%d\n", getchar() == EOF);
    printf("%d\n", fgets(buf, sizeof buf, stdin) == NULL);
    printf("%d\n", scanf("%d", &n));
    printf("%d %zu\n", n, fread(buf, 1, 8, stdin));
    return 0;
}
