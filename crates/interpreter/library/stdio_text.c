/* stdio.h: characters, lines and blocks. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static int get(FILE *stream) {
    if (stream->_IO_read_ptr < stream->_IO_read_end) return (unsigned char)*stream->_IO_read_ptr++;
    return __uflow(stream);
}

static int put(int c, FILE *stream) {
    if (stream->_IO_write_ptr < stream->_IO_write_end) return (unsigned char)(*stream->_IO_write_ptr++ = (char)c);
    return __overflow(stream, (unsigned char)c);
}

int getc(FILE *stream) { return get(stream); }
int fgetc(FILE *stream) { return get(stream); }
int getchar(void) { return get(stdin); }
int getc_unlocked(FILE *stream) { return get(stream); }
int fgetc_unlocked(FILE *stream) { return get(stream); }
int getchar_unlocked(void) { return get(stdin); }
int _IO_getc(FILE *stream) { return get(stream); }

int putc(int c, FILE *stream) { return put(c, stream); }
int fputc(int c, FILE *stream) { return put(c, stream); }
int putchar(int c) { return put(c, stdout); }
int putc_unlocked(int c, FILE *stream) { return put(c, stream); }
int fputc_unlocked(int c, FILE *stream) { return put(c, stream); }
int putchar_unlocked(int c) { return put(c, stdout); }
int _IO_putc(int c, FILE *stream) { return put(c, stream); }

int getw(FILE *stream) {
    int word;
    return __lib_stream_read(stream, (char *)&word, sizeof word) == sizeof word ? word : EOF;
}

int putw(int word, FILE *stream) {
    return __lib_stream_write(stream, (const char *)&word, sizeof word) == sizeof word ? 0 : EOF;
}

/* An error keeps the characters that were read, as in glibc only when there are any. */
static char *get_line(char *to, int size, FILE *stream) {
    if (size <= 0) return NULL;
    int length = 0;
    while (length < size - 1) {
        int c = get(stream);
        if (c == EOF) break;
        to[length++] = (char)c;
        if (c == '\n') break;
    }
    if (length == 0 && size > 1) return NULL;
    to[length] = '\0';
    return to;
}

char *fgets(char *restrict to, int size, FILE *restrict stream) { return get_line(to, size, stream); }
char *fgets_unlocked(char *restrict to, int size, FILE *restrict stream) { return get_line(to, size, stream); }

char *gets(char *to);
char *gets(char *to) {
    size_t length = 0;
    int c;
    while ((c = get(stdin)) != EOF && c != '\n') to[length++] = (char)c;
    if (c == EOF && (length == 0 || ferror(stdin))) return NULL;
    to[length] = '\0';
    return to;
}

static int put_text(const char *text, FILE *stream) {
    size_t length = strlen(text);
    return __lib_stream_write(stream, text, length) == length ? 1 : EOF;
}

int fputs(const char *restrict text, FILE *restrict stream) { return put_text(text, stream); }
int fputs_unlocked(const char *restrict text, FILE *restrict stream) { return put_text(text, stream); }

int puts(const char *text) {
    size_t length = strlen(text);
    if (__lib_stream_write(stdout, text, length) != length || put('\n', stdout) == EOF) return EOF;
    return length >= INT_MAX ? INT_MAX : (int)length + 1;
}

static size_t read_items(void *to, size_t size, size_t count, FILE *stream) {
    size_t bytes = size * count;
    if (bytes == 0) return 0;
    size_t done = __lib_stream_read(stream, to, bytes);
    return done == bytes ? count : done / size;
}

static size_t write_items(const void *from, size_t size, size_t count, FILE *stream) {
    size_t bytes = size * count;
    if (bytes == 0) return 0;
    size_t done = __lib_stream_write(stream, from, bytes);
    return done == bytes ? count : done / size;
}

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
    return read_items(to, size, count, stream);
}

size_t fread_unlocked(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
    return read_items(to, size, count, stream);
}

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict stream) {
    return write_items(from, size, count, stream);
}

size_t fwrite_unlocked(const void *restrict from, size_t size, size_t count, FILE *restrict stream) {
    return write_items(from, size, count, stream);
}

static bool grow_line(char **line, size_t *size, size_t needed) {
    if (needed <= *size) return true;
    size_t wanted = 2 * *size > needed ? 2 * *size : needed;
    char *grown = realloc(*line, wanted);
    if (grown == NULL) return false;
    *line = grown;
    *size = wanted;
    return true;
}

static ssize_t get_delimited(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream) {
    if (line == NULL || size == NULL) {
        errno = EINVAL;
        return -1;
    }
    if (*line == NULL) *size = 0;
    size_t length = 0;
    int c;
    if (*size == 0 && !grow_line(line, size, 120)) return -1;
    while ((c = get(stream)) != EOF) {
        if (!grow_line(line, size, length + 2)) return -1;
        (*line)[length++] = (char)c;
        if (c == delimiter) break;
    }
    if (length == 0) return -1;
    (*line)[length] = '\0';
    return (ssize_t)length;
}

ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream) {
    return get_delimited(line, size, delimiter, stream);
}

ssize_t __getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream) {
    return get_delimited(line, size, delimiter, stream);
}

ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream) {
    return get_delimited(line, size, '\n', stream);
}

void perror(const char *prefix) {
    const char *text = strerror(errno);
    bool empty = prefix == NULL || *prefix == '\0';
    fprintf(stderr, "%s%s%s\n", empty ? "" : prefix, empty ? "" : ": ", text);
}
