// Two files, one named by an argument: what is read, written, made anew and removed.
// function: main
// options: --file in=6 --file log=4 --max-iterations 2000
// expect: covered 19 infeasible 0 unknown 1
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static long copy(const char *name)
{
    char buffer[4];
    long count, total = 0;
    int from = open(name, O_RDONLY);
    FILE *log = fopen("log", "a");
    if (from < 0) {
        fclose(log);
        return -1;
    }
    while ((count = read(from, buffer, sizeof buffer)) > 0) {
        fwrite(buffer, 1, (size_t)count, log);
        total += count;
    }
    close(from);
    fclose(log);
    return total;
}

int main(int argc, char **argv)
{
    char text[16] = "";
    FILE *log;
    long copied;
    if (access("log", R_OK) == 0)
        puts("on top");
    copied = argc > 1 ? copy(argv[1]) : 0;
    if (copied < 0)
        return 1;
    log = fopen("log", "r");
    if (log == NULL)
        return 2;
    if (fgets(text, sizeof text, log) != NULL && strcmp(text, "abc") == 0)
        puts("new");
    fclose(log);
    if (copied == 5) {
        remove("log");
        return access("log", F_OK) == 0 ? 4 : 3;
    }
    return 0;
}
