// fopen modes, freopen-free errors, two files at once, setvbuf, fileno-free copying.
#include <errno.h>
#include <stdio.h>
#include <string.h>

static long size_of(const char *name)
{
    FILE *f = fopen(name, "rb");
    if (!f)
        return -1;
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    fclose(f);
    return n;
}

int main(void)
{
    errno = 0;
    FILE *f = fopen("no_such_file_here", "r");
    printf("%d %s\n", f == NULL, strerror(errno));
    f = fopen("covenant_a.txt", "w");
    for (int i = 0; i < 500; i++)
        fprintf(f, "%d ", i);
    fclose(f);
    printf("%ld\n", size_of("covenant_a.txt"));
    FILE *in = fopen("covenant_a.txt", "r"), *out = fopen("covenant_b.txt", "w");
    char small[16];
    setvbuf(out, NULL, _IOFBF, 4096);
    size_t n;
    while ((n = fread(small, 1, sizeof small, in)) > 0)
        fwrite(small, 1, n, out);
    fclose(in);
    fclose(out);
    printf("%ld\n", size_of("covenant_b.txt"));
    f = fopen("covenant_b.txt", "r+");
    fputs("###", f);
    rewind(f);
    if (fgets(small, 8, f))
        puts(small);
    fclose(f);
    f = fopen("covenant_b.txt", "w");
    fclose(f);
    printf("%ld\n", size_of("covenant_b.txt"));
    f = fopen("covenant_b.txt", "a+");
    fputs("added", f);
    rewind(f);
    if (fgets(small, 8, f))
        puts(small);
    fclose(f);
    printf("%d\n", rename("covenant_b.txt", "covenant_c.txt"));
    printf("%ld %ld\n", size_of("covenant_b.txt"), size_of("covenant_c.txt"));
    remove("covenant_a.txt");
    remove("covenant_c.txt");
    return 0;
}
