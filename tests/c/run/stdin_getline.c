// flags: -D_GNU_SOURCE
// stdin: alpha\nbeta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega alpha beta gamma delta\n\nend:of:fields
// getline grows its buffer; getdelim splits at another byte.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    for (int i = 0; i < 3; i++) {
        n = getline(&line, &cap, stdin);
        printf("%zd %d %s", n, cap > (size_t)n, line);
    }
    while ((n = getdelim(&line, &cap, ':', stdin)) > 0)
        printf("%zd [%s]\n", n, line);
    printf("%zd\n", n);
    free(line);
    return 0;
}
