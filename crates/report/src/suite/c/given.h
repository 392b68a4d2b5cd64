/* What a program is given: arguments, standard input, files, environment. A part of runner.c. */

static char **arguments;
static int argument_count;

void covenant_argument(const char *text)
{
    arguments = realloc(arguments, ((size_t)argument_count + 2) * sizeof *arguments);
    if (arguments == NULL)
        _exit(125);
    /* A copy: a program may write to its arguments, and no byte beyond. */
    arguments[argument_count] = allocate(text_length(text) + 1);
    copy(arguments[argument_count++], text, text_length(text) + 1);
    arguments[argument_count] = NULL;
}

int covenant_argc(void)
{
    return argument_count;
}

char **covenant_argv(void)
{
    return arguments;
}

char **covenant_environment(void)
{
    return environ;
}

void covenant_input(unsigned long size, const char *bytes)
{
    int fd = memfd_create("stdin", 0), only_read;
    char path[40];
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0 || dup2(fd, 0) < 0) {
        fprintf(stderr, "covenant: standard input cannot be prepared: %s\n", strerror(errno));
        _exit(125);
    }
    /* Nobody writes to it, where there is a way to say so. */
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    only_read = open(path, O_RDONLY);
    if (only_read >= 0) {
        dup2(only_read, 0);
        close(only_read);
    }
    close(fd);
    errno = 0;
}

/* Whether the test runs in a directory of its own already. */
static int has_directory;

void covenant_directory(void)
{
    int number;
    for (number = 0; !has_directory; number++) {
        snprintf(state->directory, sizeof state->directory, "/tmp/covenant-%ld-%d", syscall(SYS_getpid), number);
        has_directory = syscall(SYS_mkdirat, AT_FDCWD, state->directory, 0700) == 0;
        if ((!has_directory && errno != EEXIST) || (has_directory && syscall(SYS_chdir, state->directory) != 0)) {
            fprintf(stderr, "covenant: %s cannot be used: %s\n", state->directory, strerror(errno));
            state->directory[0] = 0;
            _exit(125);
        }
    }
}

void covenant_file(const char *name, unsigned long size, const char *bytes)
{
    long fd = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0 || syscall(SYS_write, fd, bytes, size) != (long)size || syscall(SYS_fchmod, fd, 0644) != 0) {
        fprintf(stderr, "covenant: the file %s cannot be prepared: %s\n", name, strerror(errno));
        _exit(125);
    }
    syscall(SYS_close, fd);
}

void covenant_folder(const char *name)
{
    if (syscall(SYS_mkdirat, AT_FDCWD, name, 0755) != 0 || syscall(SYS_fchmodat, AT_FDCWD, name, 0755) != 0) {
        fprintf(stderr, "covenant: the directory %s cannot be prepared: %s\n", name, strerror(errno));
        _exit(125);
    }
}

void covenant_variable(const char *name, const char *value)
{
    if ((value != NULL ? setenv(name, value, 1) : unsetenv(name)) != 0)
        _exit(125);
}
