// Files of others are deleted, overwritten and moved, by names that have to be found out and by fixed ones.
// options: --array-len 48
// case: delete_named exit 0|1
// case: delete_always exit 0|1
// case: delete_by_unlink exit 0|1
// case: overwrite_named exit 0|1
// case: overwrite_with_open exit 0|1
// case: append_to exit 0|1
// case: rename_away exit 0|1
// case: rename_over exit 0|1
// case: make_folder exit 0|1
// case: remove_folder exit 0|1
// case: write_home exit 0|1
// case: write_temporary exit 0|1
// case: write_project exit 0|1
// case: climb_out exit 0|1
// case: reopen_output exit 0|1
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int delete_named(const char *path)
{
    if (path != NULL && strcmp(path, CANARY) == 0)
        return remove(path);
    return 1;
}

int delete_always(int x)
{
    int result = remove(CANARY);
    if (x == 77)
        return result;
    return 2;
}

int delete_by_unlink(const char *path)
{
    if (path != NULL && strcmp(path, CANARY) == 0)
        return unlink(path);
    return 1;
}

int overwrite_named(const char *path)
{
    if (path == NULL || strcmp(path, CANARY) != 0)
        return 1;
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return 2;
    fputs("overwritten\n", file);
    fclose(file);
    return 0;
}

int overwrite_with_open(int x)
{
    if (x != 4711)
        return 1;
    int fd = open(CANARY, O_WRONLY | O_TRUNC);
    if (fd < 0)
        return 2;
    write(fd, "gone", 4);
    close(fd);
    return 0;
}

int append_to(int x)
{
    if (x < 100)
        return 1;
    FILE *file = fopen(CANARY, "a");
    if (file == NULL)
        return 2;
    fprintf(file, "%d\n", x);
    fclose(file);
    return 0;
}

int rename_away(const char *path)
{
    if (path != NULL && strcmp(path, CANARY) == 0)
        return rename(path, "stolen");
    return 1;
}

int rename_over(int x)
{
    FILE *file = fopen("mine", "w");
    if (file == NULL)
        return 1;
    fclose(file);
    if (x == 5)
        return rename("mine", CANARY);
    return 0;
}

int make_folder(int x)
{
    if (x == 6)
        return mkdir(FOLDER "/made", 0777);
    return 0;
}

int remove_folder(int x)
{
    if (x == 7)
        return rmdir(FOLDER "/empty");
    return 0;
}

int write_home(int x)
{
    if (x != 8)
        return 0;
    FILE *file = fopen(HOME "/.profile", "a");
    if (file == NULL)
        return 1;
    fputs("echo hacked\n", file);
    return fclose(file);
}

int write_temporary(int x)
{
    if (x != 9)
        return 0;
    FILE *file = fopen("/tmp/covenant-hostile-left-behind", "w");
    if (file == NULL)
        return 1;
    return fclose(file);
}

int write_project(int x)
{
    if (x != 10)
        return 0;
    FILE *file = fopen(PROJECT "/log.txt", "w");
    if (file == NULL)
        return 1;
    return fclose(file);
}

int climb_out(int x)
{
    if (x != 11)
        return 0;
    FILE *file = fopen("../../../../../../../../" CANARY, "w");
    if (file == NULL)
        return 1;
    return fclose(file);
}

int reopen_output(int x)
{
    if (x != 12)
        return 0;
    return freopen(CANARY, "w", stdout) == NULL;
}
