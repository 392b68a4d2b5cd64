// goto forwards for clean-up, backwards for loops, into a block.
#include <stdio.h>
#include <stdlib.h>

static int process(int fail_at)
{
    int rc = -1;
    char *a = NULL, *b = NULL, *c = NULL;
    if (fail_at == 1)
        goto out;
    a = malloc(10);
    if (fail_at == 2)
        goto free_a;
    b = malloc(20);
    if (fail_at == 3)
        goto free_b;
    c = malloc(30);
    c[29] = 1;
    rc = c[29];
    free(c);
    printf("c ");
free_b:
    free(b);
    printf("b ");
free_a:
    free(a);
    printf("a ");
out:
    printf("out %d\n", rc);
    return rc;
}

int main(void)
{
    for (int i = 0; i < 4; i++)
        process(i);
    int i = 0, total = 0;
top:
    if (i < 5) {
        total += i;
        i++;
        goto top;
    }
    printf("%d\n", total);
    int k = 3;
    goto inside;
    while (k > 0) {
        printf("loop ");
    inside:
        printf("%d ", k);
        k--;
    }
    putchar('\n');
    return total;
}
