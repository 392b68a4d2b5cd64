// More than anybody should have: memory, time, output, descriptors, files.
// case: huge_memory exit 0|1
// case: much_memory exit 0|1
// case: memory_of_inputs exit 0|1
// case: huge_file exit 0|1
// case: far_away exit 0|1
// case: many_descriptors exit 0|1
// case: close_all exit 0|1
// case: close_the_standard_ones exit 0|1
// case: endless_output exit 0|1
// case: endless_loop exit 0|1
// case: endless_calls exit 0|1
// case: sleep_for_ever exit 0|1
// case: raise_the_limits exit 0|1 says `setrlimit`
// case: large_frame exit 0|1
// options: --max-steps 200000
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int huge_memory(int x)
{
    if (x != 1)
        return 0;
    char *all = malloc(1UL << 45);
    return all == NULL;
}

int much_memory(int x)
{
    for (int i = 0; x == 1 && i < 100; i++) {
        char *some = malloc(1 << 24);
        if (some == NULL)
            return 1;
        some[i] = 1;
    }
    return 0;
}

int huge_file(int x)
{
    static char block[4096];
    FILE *file = fopen("huge", "w");
    if (file == NULL)
        return 1;
    while (x == 1)
        fwrite(block, 1, sizeof block, file);
    return fclose(file);
}

int far_away(int x)
{
    int fd = open("sparse", O_CREAT | O_WRONLY, 0600);
    if (x == 1 && lseek(fd, 1L << 50, SEEK_SET) > 0)
        return (int)write(fd, "x", 1);
    return 0;
}

int many_descriptors(int x)
{
    int last = 0;
    for (int i = 0; x == 1 && i < 100000 && last >= 0; i++)
        last = open("same", O_CREAT | O_RDWR, 0600);
    return 0;
}

int close_all(int x)
{
    for (int fd = 0; x == 1 && fd < 1024; fd++)
        close(fd);
    return 0;
}

int close_the_standard_ones(int x)
{
    if (x != 1)
        return 0;
    fclose(stdin);
    fclose(stdout);
    fclose(stderr);
    return 1;
}

int endless_output(int x)
{
    while (x == 1)
        puts("and on and on");
    return 0;
}

int endless_loop(int x)
{
    while (x == 1)
        ;
    return 0;
}

int endless_calls(int x)
{
    return x == 1 ? endless_calls(x) + 1 : 0;
}

int sleep_for_ever(int x)
{
    while (x == 1)
        sleep(1000000);
    return 0;
}

int raise_the_limits(int x)
{
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    if (x == 1)
        return setrlimit(RLIMIT_NPROC, &none);
    return 0;
}

int large_frame(int x)
{
    char frame[1 << 24];
    if (x == 1)
        memset(frame, x, sizeof frame);
    return x == 1 ? frame[5] : 0;
}

int memory_of_inputs(int n, int stop)
{
    for (;;) {
        char *some = malloc(1 << 20);
        if (some == NULL)
            return 1;
        memset(some, n, 1 << 20);
        if (stop == 77)
            return some[5] == 3;
    }
}
