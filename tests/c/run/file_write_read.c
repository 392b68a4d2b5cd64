// A file is written, closed, read back with several functions, and removed.
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *name = "covenant_test_file.txt";
    FILE *f = fopen(name, "w");
    if (!f)
        return 1;
    fprintf(f, "line %d\n", 1);
    fputs("line two\n", f);
    fputc('3', f);
    putc('\n', f);
    fwrite("raw bytes", 1, 3, f);
    printf("%d\n", fclose(f));
    f = fopen(name, "r");
    char buf[64];
    while (fgets(buf, sizeof buf, f))
        printf("%zu %s", strlen(buf), buf);
    putchar('\n');
    rewind(f);
    int n, got = fscanf(f, "line %d", &n);
    printf("%d %d\n", got, n);
    int newline = fgetc(f);
    printf("%d %c\n", newline, getc(f));
    fclose(f);
    f = fopen(name, "a");
    fputs(" appended", f);
    fclose(f);
    f = fopen(name, "r");
    fseek(f, -12, SEEK_END);
    printf("%s\n", fgets(buf, sizeof buf, f));
    fclose(f);
    printf("%d\n", remove(name));
    printf("%d\n", fopen(name, "r") == NULL);
    return 0;
}
