/* stdio.h: the buffers of streams. A FILE has the layout of glibc's, since macros of its headers look inside:
 *   get area   [_IO_read_ptr, _IO_read_end), empty while writing
 *   put area   [_IO_write_base, _IO_write_ptr), room up to _IO_write_end; of an unbuffered or line-buffered stream the
 *              room is always none, so that every character comes through __overflow
 *   buffer     [_IO_buf_base, _IO_buf_end), made at the first use
 * Characters pushed back that are not those in the buffer go to a small array of their own at _IO_backup_base. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static struct _IO_FILE standard_input = {._flags = STREAM_STATIC | STREAM_NO_WRITE, ._fileno = 0};
static struct _IO_FILE standard_output = {
    ._flags = STREAM_STATIC | STREAM_NO_READ, ._fileno = 1, ._chain = &standard_input};
static struct _IO_FILE standard_error = {
    ._flags = STREAM_STATIC | STREAM_NO_READ | STREAM_UNBUFFERED, ._fileno = 2, ._chain = &standard_output};

#undef stdin
#undef stdout
#undef stderr
FILE *stdin = &standard_input;
FILE *stdout = &standard_output;
FILE *stderr = &standard_error;

static FILE *open_streams = &standard_error;

enum { BACKUP_SIZE = 64 };

void __lib_stream_link(FILE *stream) {
    stream->_chain = open_streams;
    open_streams = stream;
}

void __lib_stream_unlink(FILE *stream) {
    for (FILE **link = &open_streams; *link != NULL; link = &(*link)->_chain) {
        if (*link == stream) {
            *link = stream->_chain;
            return;
        }
    }
}

/* The backend: a descriptor, or the functions of fopencookie. */

static long raw_read(FILE *stream, char *to, size_t length) {
    struct backend *backend = stream->_freeres_buf;
    if (backend == NULL && __lib_is_given(stream->_fileno)) length = 1;
    if (backend == NULL) return __lib_result(__lib_read(stream->_fileno, to, length));
    return backend->io.read == NULL ? -1 : backend->io.read(backend->cookie, to, length);
}

static bool raw_write(FILE *stream, const char *from, size_t length) {
    struct backend *backend = stream->_freeres_buf;
    while (length > 0) {
        long written = -1;
        if (backend == NULL) {
            written = __lib_result(__covenant_write(stream->_fileno, from, length));
        } else if (backend->io.write != NULL) {
            written = backend->io.write(backend->cookie, from, length);
            if (written == 0) written = -1;
        }
        if (written < 0) {
            stream->_flags |= STREAM_ERROR;
            return false;
        }
        from += written;
        length -= (size_t)written;
    }
    return true;
}

static long raw_seek(FILE *stream, long offset, int whence) {
    struct backend *backend = stream->_freeres_buf;
    if (backend == NULL) return __lib_result(__lib_seek(stream->_fileno, offset, whence));
    if (backend->io.seek == NULL) {
        errno = ESPIPE;
        return -1;
    }
    off64_t place = offset;
    return backend->io.seek(backend->cookie, &place, whence) < 0 ? -1 : place;
}

/* The buffer. */

static bool need_buffer(FILE *stream) {
    if (stream->_IO_buf_base != NULL) return true;
    size_t size = stream->_flags & STREAM_UNBUFFERED ? 1 : STREAM_BUFFER;
    char *buffer = __lib_alloc(size);
    if (buffer == NULL) return false;
    stream->_IO_buf_base = buffer;
    stream->_IO_buf_end = buffer + size;
    return true;
}

static void drop_input(FILE *stream) {
    stream->_flags &= ~STREAM_BACKUP;
    stream->_IO_read_base = stream->_IO_buf_base;
    stream->_IO_read_ptr = stream->_IO_buf_base;
    stream->_IO_read_end = stream->_IO_buf_base;
}

/* Goes back from pushed back characters to the get area proper. */
static void leave_backup(FILE *stream) {
    if (!(stream->_flags & STREAM_BACKUP)) return;
    stream->_flags &= ~STREAM_BACKUP;
    stream->_IO_read_ptr = stream->_IO_save_base;
    stream->_IO_read_end = stream->_IO_save_end;
}

/* Characters that were read from the backend (or pushed back) and not yet taken. */
static long unread(FILE *stream) {
    long count = stream->_IO_read_end - stream->_IO_read_ptr;
    if (stream->_flags & STREAM_BACKUP) count += stream->_IO_save_end - stream->_IO_save_base;
    return count;
}

int __lib_stream_flush(FILE *stream) {
    if (!(stream->_flags & STREAM_WRITING)) return 0;
    size_t pending = (size_t)(stream->_IO_write_ptr - stream->_IO_write_base);
    stream->_IO_write_ptr = stream->_IO_write_base;
    if (pending > 0 && !raw_write(stream, stream->_IO_write_base, pending)) return EOF;
    return 0;
}

/* Brings the backend to where the program thinks it is. */
int __lib_stream_sync(FILE *stream) {
    if (stream->_flags & STREAM_WRITING) return __lib_stream_flush(stream);
    long ahead = unread(stream);
    if (ahead > 0) {
        int saved = errno;
        if (raw_seek(stream, -ahead, SEEK_CUR) >= 0) {
            drop_input(stream);
        } else if (errno == ESPIPE) {
            errno = saved;
        } else {
            return EOF;
        }
    }
    return 0;
}

int __lib_stream_flush_all(void) {
    int result = 0;
    for (FILE *stream = open_streams; stream != NULL; stream = stream->_chain) {
        if (__lib_stream_flush(stream) != 0) result = EOF;
    }
    return result;
}

static void end_write(FILE *stream) {
    stream->_flags &= ~STREAM_WRITING;
    stream->_IO_write_base = stream->_IO_buf_base;
    stream->_IO_write_ptr = stream->_IO_buf_base;
    stream->_IO_write_end = stream->_IO_buf_base;
}

/* Looked at even where nothing comes to be written: there may be no stream. */
bool __lib_stream_is_written(FILE *stream) {
    if (!(stream->_flags & STREAM_NO_WRITE)) return true;
    stream->_flags |= STREAM_ERROR;
    errno = EBADF;
    return false;
}

bool __lib_stream_begin_write(FILE *stream) {
    if (stream->_flags & STREAM_WRITING) return true;
    if (!__lib_stream_is_written(stream) || !need_buffer(stream)) return false;
    long ahead = unread(stream);
    if (ahead > 0) raw_seek(stream, -ahead, SEEK_CUR);
    drop_input(stream);
    stream->_flags |= STREAM_WRITING;
    stream->_IO_write_base = stream->_IO_buf_base;
    stream->_IO_write_ptr = stream->_IO_buf_base;
    bool whole = (stream->_flags & (STREAM_LINE | STREAM_UNBUFFERED)) == 0;
    stream->_IO_write_end = whole ? stream->_IO_buf_end : stream->_IO_buf_base;
    return true;
}

int __overflow(FILE *stream, int c) {
    if (!__lib_stream_begin_write(stream)) return EOF;
    if (stream->_IO_write_ptr == stream->_IO_buf_end && __lib_stream_flush(stream) != 0) return EOF;
    *stream->_IO_write_ptr++ = (char)c;
    bool flush = (stream->_flags & STREAM_UNBUFFERED) || ((stream->_flags & STREAM_LINE) && c == '\n');
    if (flush && __lib_stream_flush(stream) != 0) return EOF;
    return (unsigned char)c;
}

/* How much of the text goes into the buffer before a flush is due: what there is room for, and in a line-buffered
 * stream everything up to the last newline. */
static size_t buffered_part(FILE *stream, const char *from, size_t length, bool *flush) {
    size_t room = (size_t)(stream->_IO_buf_end - stream->_IO_write_ptr);
    *flush = false;
    if (stream->_flags & STREAM_UNBUFFERED) return 0;
    if ((stream->_flags & STREAM_LINE) && room >= length) {
        for (size_t i = length; i > 0; i--) {
            if (from[i - 1] == '\n') {
                *flush = true;
                return i;
            }
        }
    }
    return room < length ? room : length;
}

size_t __lib_stream_write(FILE *stream, const char *from, size_t length) {
    if (length == 0) return 0;
    if (!__lib_stream_begin_write(stream)) return 0;
    bool flush;
    size_t first = buffered_part(stream, from, length, &flush);
    memcpy(stream->_IO_write_ptr, from, first);
    stream->_IO_write_ptr += first;
    if (first == length && !flush) return length;

    if (__lib_stream_flush(stream) != 0) return 0;
    size_t rest = length - first;
    size_t block = (size_t)(stream->_IO_buf_end - stream->_IO_buf_base);
    size_t direct = rest - (block >= 128 ? rest % block : 0);
    if (direct > 0 && !raw_write(stream, from + first, direct)) return first;
    for (size_t i = first + direct; i < length; i++) {
        if (fputc(from[i], stream) == EOF) return i;
    }
    return length;
}

/* Fills the get area; EOF at the end, on an error, and when the end was seen before. */
int __lib_stream_fill(FILE *stream) {
    if (stream->_flags & STREAM_NO_READ) {
        stream->_flags |= STREAM_ERROR;
        errno = EBADF;
        return EOF;
    }
    leave_backup(stream);
    if (stream->_IO_read_ptr < stream->_IO_read_end) return 0;
    if (stream->_flags & STREAM_EOF) return EOF;
    if (stream->_flags & STREAM_WRITING) {
        if (__lib_stream_flush(stream) != 0) return EOF;
        end_write(stream);
    }
    if (!need_buffer(stream)) return EOF;
    if ((stream->_flags & (STREAM_LINE | STREAM_UNBUFFERED)) && (standard_output._flags & STREAM_LINE)) {
        __lib_stream_flush(&standard_output);
    }
    drop_input(stream);
    long count = raw_read(stream, stream->_IO_buf_base, (size_t)(stream->_IO_buf_end - stream->_IO_buf_base));
    if (count <= 0) {
        stream->_flags |= count == 0 ? STREAM_EOF : STREAM_ERROR;
        return EOF;
    }
    stream->_IO_read_end = stream->_IO_buf_base + count;
    return 0;
}

int __underflow(FILE *stream) {
    return __lib_stream_fill(stream) != 0 ? EOF : (unsigned char)*stream->_IO_read_ptr;
}

int __uflow(FILE *stream) {
    return __lib_stream_fill(stream) != 0 ? EOF : (unsigned char)*stream->_IO_read_ptr++;
}

size_t __lib_stream_read(FILE *stream, char *to, size_t length) {
    size_t done = 0;
    while (done < length) {
        size_t ready = (size_t)(stream->_IO_read_end - stream->_IO_read_ptr);
        if (ready == 0) {
            if (__lib_stream_fill(stream) != 0) break;
            continue;
        }
        if (ready > length - done) ready = length - done;
        memcpy(to + done, stream->_IO_read_ptr, ready);
        stream->_IO_read_ptr += ready;
        done += ready;
    }
    return done;
}

int ungetc(int c, FILE *stream) {
    if (c == EOF) return EOF;
    bool backup = (stream->_flags & STREAM_BACKUP) != 0;
    char *start = backup ? stream->_IO_backup_base : stream->_IO_buf_base;
    if (stream->_IO_read_ptr > start && stream->_IO_read_ptr[-1] == (char)c && !backup) {
        stream->_IO_read_ptr--;
    } else {
        if (stream->_IO_backup_base == NULL) {
            stream->_IO_backup_base = __lib_alloc(BACKUP_SIZE);
            if (stream->_IO_backup_base == NULL) return EOF;
        }
        if (!backup) {
            stream->_flags |= STREAM_BACKUP;
            stream->_IO_save_base = stream->_IO_read_ptr;
            stream->_IO_save_end = stream->_IO_read_end;
            stream->_IO_read_ptr = stream->_IO_backup_base + BACKUP_SIZE;
            stream->_IO_read_end = stream->_IO_read_ptr;
        }
        if (stream->_IO_read_ptr == stream->_IO_backup_base) return EOF;
        *--stream->_IO_read_ptr = (char)c;
    }
    stream->_flags &= ~STREAM_EOF;
    return (unsigned char)c;
}

long __lib_stream_seek(FILE *stream, long offset, int whence) {
    if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END) {
        errno = EINVAL;
        return -1;
    }
    if (stream->_flags & STREAM_WRITING) {
        if (__lib_stream_flush(stream) != 0) return -1;
        end_write(stream);
    }
    if (whence == SEEK_CUR) offset -= unread(stream);
    leave_backup(stream);
    long place = raw_seek(stream, offset, whence);
    if (place < 0) return -1;
    drop_input(stream);
    stream->_flags &= ~STREAM_EOF;
    return place;
}

long __lib_stream_tell(FILE *stream) {
    long pending = stream->_flags & STREAM_WRITING ? stream->_IO_write_ptr - stream->_IO_write_base : 0;
    bool at_end = pending > 0 && (stream->_flags & STREAM_APPEND);
    long place = raw_seek(stream, 0, at_end ? SEEK_END : SEEK_CUR);
    if (place < 0) return -1;
    return stream->_flags & STREAM_WRITING ? place + pending : place - unread(stream);
}

/* Everything that belongs to a stream except the FILE itself. */
int __lib_stream_close(FILE *stream) {
    int result = __lib_stream_sync(stream);
    struct backend *backend = stream->_freeres_buf;
    if (backend == NULL) {
        if (__lib_result(__covenant_close(stream->_fileno)) < 0) result = EOF;
    } else {
        if (backend->io.close != NULL && backend->io.close(backend->cookie) != 0) result = EOF;
        __covenant_free(backend);
        stream->_freeres_buf = NULL;
    }
    if (stream->_IO_buf_base != NULL && !(stream->_flags & STREAM_USER_BUFFER)) __covenant_free(stream->_IO_buf_base);
    if (stream->_IO_backup_base != NULL) __covenant_free(stream->_IO_backup_base);
    stream->_IO_buf_base = NULL;
    stream->_IO_buf_end = NULL;
    stream->_IO_backup_base = NULL;
    end_write(stream);
    drop_input(stream);
    return result;
}

/* The buffer can change only while it holds nothing; what it holds goes where it belongs first. */
int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
    if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF) return EOF;
    if (__lib_stream_sync(stream) != 0) return EOF;
    if (stream->_flags & STREAM_WRITING) end_write(stream);
    stream->_flags &= ~(STREAM_LINE | STREAM_UNBUFFERED);
    if (mode == _IOLBF) stream->_flags |= STREAM_LINE;
    if (mode == _IONBF) stream->_flags |= STREAM_UNBUFFERED;
    if (unread(stream) > 0) return 0;
    if (stream->_IO_buf_base != NULL && !(stream->_flags & STREAM_USER_BUFFER)) __covenant_free(stream->_IO_buf_base);
    stream->_flags &= ~STREAM_USER_BUFFER;
    stream->_IO_buf_base = NULL;
    stream->_IO_buf_end = NULL;
    if (mode != _IONBF && buffer != NULL && size > 0) {
        stream->_flags |= STREAM_USER_BUFFER;
        stream->_IO_buf_base = buffer;
        stream->_IO_buf_end = buffer + size;
    }
    end_write(stream);
    drop_input(stream);
    return 0;
}
