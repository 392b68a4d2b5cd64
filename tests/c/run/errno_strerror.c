// errno is set by the library and stays otherwise; strerror texts.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    errno = 0;
    strtol("999999999999999999999", NULL, 10);
    printf("%d %s\n", errno == ERANGE, strerror(errno));
    errno = 0;
    strtol("12", NULL, 10);
    printf("%d\n", errno);
    int codes[] = {0, EPERM, ENOENT, EINTR, ENOMEM, EACCES, EEXIST, EINVAL, EDOM, ERANGE};
    for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++)
        printf("%d %s\n", codes[i], strerror(codes[i]));
    errno = 5;
    int *p = &errno;
    *p += 1;
    printf("%d\n", errno);
    errno = 0;
    fopen("/nonexistent/dir/file", "r");
    printf("%d\n", errno == ENOENT);
    return 0;
}
