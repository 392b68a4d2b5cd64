// stdin: short\na line that is longer than the buffer\n\nlast without newline
// fgets with a small buffer.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char buf[12];
    int n = 0;
    while (fgets(buf, sizeof buf, stdin)) {
        size_t len = strlen(buf);
        int whole = len > 0 && buf[len - 1] == '\n';
        if (whole)
            buf[len - 1] = 0;
        printf("%d %d [%s]\n", ++n, whole, buf);
    }
    return n;
}
