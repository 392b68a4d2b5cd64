/* Streams: the same random steps on two files, one through each library. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

#define STREAMS(X) \
    X(fopen) X(fclose) X(freopen) X(fdopen) X(fflush) X(fread) X(fwrite) X(getc) X(fgetc) X(ungetc) X(fgets) X(putc) \
    X(fputs) X(fseek) X(ftell) X(rewind) X(feof) X(ferror) X(clearerr) X(setvbuf) X(getline) X(getdelim) X(fmemopen) \
    X(open_memstream) X(tmpfile) X(remove) X(rename) X(fgetpos) X(fsetpos) X(fprintf) X(free) X(fileno) X(mkstemp) \
    X(puts) X(printf) X(perror) X(dprintf) X(setbuf)
#define DECLARE(name) TWIN(name);
STREAMS(DECLARE)
TWIN(stdout);
TWIN(stderr);

static char paths[2][64];

static bool same_contents(void) {
    static char x[100000];
    static char y[100000];
    int a = open(paths[0], O_RDONLY);
    int b = open(paths[1], O_RDONLY);
    ssize_t first = read(a, x, sizeof x);
    ssize_t second = read(b, y, sizeof y);
    close(a);
    close(b);
    return first == second && memcmp(x, y, (size_t)first) == 0;
}

static void prepare(size_t size) {
    static char block[20000];
    for (size_t i = 0; i < size; i++) block[i] = "abcdefgh\n"[below(9)];
    for (int i = 0; i < 2; i++) {
        int fd = open(paths[i], O_RDWR | O_CREAT | O_TRUNC, 0600);
        if (write(fd, block, size) != (ssize_t)size) fail("cannot write %s", paths[i]);
        close(fd);
    }
}

#define BOTH(what, call, cov_call)                                                          \
    do {                                                                                    \
        long wanted = (long)(call);                                                         \
        long got = (long)(cov_call);                                                        \
        CHECK(wanted == got, "round %d step %d mode %s: " what " %ld, not %ld", round, step, mode, got, wanted); \
    } while (0)

static char x[65536];
static char y[65536];

static void reading_step(int round, int step, const char *mode, FILE *a, FILE *b) {
    size_t count = below(4) == 0 ? below(9000) : below(40);
    switch (below(7)) {
        case 0: BOTH("getc", getc(a), cov_getc(b)); break;
        case 1: BOTH("fread", fread(x, 1, count, a), cov_fread(y, 1, count, b)); break;
        case 2: BOTH("fread 7", fread(x, 7, count, a), cov_fread(y, 7, count, b)); break;
        case 3:
            memset(x, 0, 64);
            memset(y, 0, 64);
            BOTH("fgets", fgets(x, (int)count % 60 + 1, a) != NULL, cov_fgets(y, (int)count % 60 + 1, b) != NULL);
            CHECK(strcmp(x, y) == 0, "fgets \"%s\" \"%s\"", show(x), show(y));
            break;
        case 4: {
            int c = getc(a);
            BOTH("getc", c, cov_getc(b));
            if (c == EOF) break;
            if (below(2)) c = 'Q';
            BOTH("ungetc", ungetc(c, a), cov_ungetc(c, b));
            break;
        }
        case 5: BOTH("ftell", ftell(a), cov_ftell(b)); break;
        default: BOTH("feof", feof(a) != 0, cov_feof(b) != 0); break;
    }
}

static void writing_step(int round, int step, const char *mode, FILE *a, FILE *b) {
    size_t count = below(4) == 0 ? below(9000) : below(40);
    for (size_t i = 0; i < count; i++) x[i] = "xyz\n"[below(4)];
    x[count] = '\0';
    switch (below(6)) {
        case 0: BOTH("putc", putc('P', a), cov_putc('P', b)); break;
        case 1: BOTH("fwrite", fwrite(x, 1, count, a), cov_fwrite(x, 1, count, b)); break;
        case 2: BOTH("fputs", fputs(x, a) < 0, cov_fputs(x, b) < 0); break;
        case 3: BOTH("fprintf", fprintf(a, "%d %s|", 5, x), cov_fprintf(b, "%d %s|", 5, x)); break;
        case 4: BOTH("ftell", ftell(a), cov_ftell(b)); break;
        default: BOTH("fflush", fflush(a), cov_fflush(b)); break;
    }
}

/* How much of what was written has reached the file: buffering is part of what programs show. */
static void compare_sizes(int round, int step, const char *mode) {
    struct stat a;
    struct stat b;
    stat(paths[0], &a);
    stat(paths[1], &b);
    BOTH("size", a.st_size, b.st_size);
}

static void random_steps(void) {
    static const char *const modes[] = {"r", "w", "a", "r+", "w+", "a+", "rb+", "w+x"};
    for (int round = 0; round < 400; round++) {
        const char *mode = modes[below(7)];
        prepare(below(2) ? below(100) : below(12000));
        FILE *a = fopen(paths[0], mode);
        FILE *b = cov_fopen(paths[1], mode);
        int step = -1;
        if (round % 4 == 0) {
            int kind = (int[]){_IOFBF, _IOLBF, _IONBF}[below(3)];
            static char buffers[2][512];
            bool own = below(2);
            BOTH("setvbuf", setvbuf(a, own ? buffers[0] : NULL, kind, 512),
                 cov_setvbuf(b, own ? buffers[1] : NULL, kind, 512));
        }
        bool writing = below(2);
        for (step = 0; step < 40; step++) {
            if (below(8) == 0) {
                writing = below(2);
                long offset = (long)below(5000) - 1000;
                int whence = (int)below(3);
                BOTH("fseek", fseek(a, offset, whence), cov_fseek(b, offset, whence));
                BOTH("ftell", ftell(a), cov_ftell(b));
            }
            bool can_read = mode[0] == 'r' || strchr(mode, '+') != NULL;
            bool can_write = mode[0] != 'r' || strchr(mode, '+') != NULL;
            if (writing && can_write) {
                writing_step(round, step, mode, a, b);
                /* Where glibc's buffer ends after a change from reading to writing is its own affair. */
                if (!can_read) compare_sizes(round, step, mode);
            } else if (!writing && can_read) {
                reading_step(round, step, mode, a, b);
            }
        }
        BOTH("fclose", fclose(a), cov_fclose(b));
        CHECK(same_contents(), "round %d mode %s: contents differ", round, mode);
    }
}

static void lines(void) {
    prepare(5000);
    FILE *a = fopen(paths[0], "r");
    FILE *b = cov_fopen(paths[1], "r");
    char *first = NULL;
    char *second = NULL;
    size_t first_size = 0;
    size_t second_size = 0;
    for (int i = 0; i < 2000; i++) {
        ssize_t wanted = getdelim(&first, &first_size, i % 3 ? '\n' : 'a', a);
        ssize_t got = cov_getdelim(&second, &second_size, i % 3 ? '\n' : 'a', b);
        CHECK(wanted == got && first_size == second_size, "getdelim wanted %zd (%zu), got %zd (%zu)", wanted,
              first_size, got, second_size);
        if (wanted < 0) break;
        CHECK(memcmp(first, second, (size_t)wanted + 1) == 0, "getdelim text");
    }
    free(first);
    cov_free(second);
    fclose(a);
    cov_fclose(b);
}

static void memory(void) {
    char text[] = "line one\nline two\nrest";
    FILE *in = cov_fmemopen(text, strlen(text), "r");
    char line[64];
    CHECK(cov_fgets(line, 64, in) == line && strcmp(line, "line one\n") == 0, "fmemopen reads");
    bool sought = cov_fseek(in, -4, SEEK_END) == 0 && cov_fgets(line, 64, in) != NULL;
    CHECK(sought && strcmp(line, "rest") == 0, "and seeks");
    cov_fclose(in);
    char room[16];
    memset(room, '#', sizeof room);
    FILE *out = cov_fmemopen(room, sizeof room, "w");
    cov_fprintf(out, "%d-%s", 42, "abc");
    cov_fclose(out);
    CHECK(strcmp(room, "42-abc") == 0, "fmemopen writes \"%s\"", show(room));
    char *made = NULL;
    size_t size = 0;
    FILE *stream = cov_open_memstream(&made, &size);
    for (int i = 0; i < 3000; i++) cov_fprintf(stream, "%d,", i);
    cov_fflush(stream);
    CHECK(size == strlen(made) && size == 13890, "open_memstream %zu", size);
    cov_fclose(stream);
    CHECK(strncmp(made, "0,1,2,", 6) == 0, "open_memstream text");
    cov_free(made);
}

static void names(void) {
    cov_errno = 0;
    CHECK(cov_fopen("/nonexistent/file", "r") == NULL && cov_errno == ENOENT, "fopen of nothing");
    CHECK(cov_fopen(paths[0], "q") == NULL && cov_errno == EINVAL, "fopen with a bad mode");
    CHECK(cov_fopen(paths[0], "wx") == NULL && cov_errno == EEXIST, "fopen x");
    FILE *file = cov_tmpfile();
    CHECK(file != NULL && cov_fputs("hello", file) != EOF, "tmpfile");
    cov_rewind(file);
    CHECK(cov_getc(file) == 'h', "tmpfile reads back");
    cov_fclose(file);
    file = cov_fopen(paths[0], "r");
    CHECK(cov_putc('x', file) == EOF && cov_ferror(file) && cov_errno == EBADF, "writing to an input stream");
    cov_clearerr(file);
    CHECK(!cov_ferror(file), "clearerr");
    cov_fclose(file);
    char other[80];
    snprintf(other, sizeof other, "%s.b", paths[0]);
    CHECK(cov_rename(paths[0], other) == 0 && cov_remove(other) == 0 && cov_remove(other) == -1, "rename, remove");
}

/* Which bytes come in which order when output and errors share a file. */
static void interleaving(void) {
    static char wanted[40000];
    static char got[40000];
    for (int ours = 0; ours < 2; ours++) {
        capture_start(1);
        int kept = dup(2);
        dup2(1, 2);
        for (int i = 0; i < 900; i++) {
            if (ours) cov_printf("line %d\n", i * i); else printf("line %d\n", i * i);
            if (i % 100 != 0) continue;
            errno = cov_errno = i / 100;
            if (ours) cov_perror("note"); else perror("note");
            if (ours) cov_fprintf(cov_stderr, "err %d %s\n", i, "x"); else fprintf(stderr, "err %d %s\n", i, "x");
            if (i == 500) ours ? cov_fflush(cov_stdout) : fflush(stdout);
        }
        if (ours) cov_puts("end"); else puts("end");
        if (ours) cov_fflush(NULL); else fflush(NULL);
        dup2(kept, 2);
        close(kept);
        capture_end(1, ours ? got : wanted, sizeof got);
    }
    CHECK(strcmp(wanted, got) == 0, "output and errors come in another order");
}

void check_files(void) {
    for (int i = 0; i < 2; i++) snprintf(paths[i], sizeof paths[i], "/proc/self/fd/%d", memfd_create("files", 0));
    random_steps();
    lines();
    memory();
    interleaving();
    strcpy(paths[0], "/tmp/covenant-files-XXXXXX");
    close(mkstemp(paths[0]));
    names();
}
