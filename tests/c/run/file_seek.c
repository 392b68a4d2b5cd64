// "w+": fseek, ftell, rewind, overwrite in the middle, fgetpos.
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("covenant_seek.bin", "w+b");
    int v[10];
    for (int i = 0; i < 10; i++)
        v[i] = i * i;
    size_t n = fwrite(v, sizeof *v, 10, f);
    printf("%zu %ld\n", n, ftell(f));
    fseek(f, 4 * (long)sizeof *v, SEEK_SET);
    int x = -1;
    fwrite(&x, sizeof x, 1, f);
    fseek(f, 0, SEEK_CUR);
    int y;
    n = fread(&y, sizeof y, 1, f);
    printf("%zu %d\n", n, y);
    fseek(f, -(long)sizeof y, SEEK_END);
    n = fread(&y, sizeof y, 1, f);
    printf("%zu %d %ld\n", n, y, ftell(f));
    n = fread(&y, sizeof y, 1, f);
    printf("%zu %d\n", n, feof(f) != 0);
    rewind(f);
    printf("%d %ld\n", feof(f) != 0, ftell(f));
    fpos_t pos;
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        if (i == 6)
            fgetpos(f, &pos);
        if (fread(&y, sizeof y, 1, f) == 1)
            sum += y;
    }
    printf("%d\n", sum);
    fsetpos(f, &pos);
    if (fread(&y, sizeof y, 1, f) == 1)
        printf("%d\n", y);
    fclose(f);
    remove("covenant_seek.bin");
    return 0;
}
