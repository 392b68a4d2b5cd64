/* What the C library of Covenant asks of the interpreter. Everything else in this folder is ordinary C that the
 * interpreter (and later symbolic execution) sees through; these functions have no body and the machine knows them
 * by name. Besides these it knows: malloc-free memory moves (memcpy, memmove, memset), setjmp and longjmp in all
 * their spellings, and the functions of math.h for float and double. */
#ifndef COVENANT_H
#define COVENANT_H

#include <stddef.h>

/* A fresh heap object; its address is a multiple of align (a power of two, at least 16). Ends the run with the
 * outcome "memory limit" when the limit is passed; NULL only when size is above PTRDIFF_MAX. */
void *__covenant_alloc(size_t size, size_t align, int zeroed);
/* Ends the life of a heap object. Traps on double free and on anything that __covenant_alloc did not return.
 * NULL is the caller's business. */
void __covenant_free(void *object);
/* Whether the function of the library that the program called, and on whose behalf this is asked, fails: an input of the run for
 * functions that may fail at any call, never otherwise. */
_Bool __covenant_fails(void);
/* The most that the process is given as inputs of the run; 0: it is given nothing in this way. Behind BOUND_NAMED there are the bytes
 * of each thing with a name, by its number. */
enum { BOUND_ARGUMENTS, BOUND_ARGUMENT, BOUND_INPUT, BOUND_NAMED };
long long __covenant_bound(int what);
/* An input of the run: whether there is an argument of this number, or a byte of standard input behind so many others, or what that
 * byte is (of an argument the one at this place); whether something with a name is there, whether it has a byte at this place, and which. */
enum {
    GIVEN_ARGUMENT, GIVEN_ARGUMENT_BYTE, GIVEN_INPUT, GIVEN_INPUT_BYTE, GIVEN_NAMED, GIVEN_NAMED_MORE, GIVEN_NAMED_BYTE,
    GIVEN_ENTRY, GIVEN_ENTRY_BYTE, GIVEN_ENTRY_IS_TAKEN
};
unsigned char __covenant_given(int what, long long number, long long place);
/* What is in a directory among the inputs besides what has a name: whether there is something behind so many others (2: a directory, else
 * a file), and the bytes of its name, of which there are ENTRY_NAME at most. Its own number is that of the directory times ENTRIES, and of
 * what was before it, from FIRST_ENTRY. GIVEN_ENTRY_IS_TAKEN says that the name is one that a file can have; without that it is not there. */
enum { FIRST_ENTRY = 1000, ENTRIES = 16, ENTRY_NAME = 8 };
/* What has a name among the inputs: with the place -1 what it is (NAMED_NOTHING: there is none of this number, nor of a larger one),
 * else a byte of its name, which ends with 0. */
enum { NAMED_NOTHING = -1, NAMED_FILE, NAMED_VARIABLE, NAMED_DIRECTORY };
int __covenant_named(long long number, long long place);
/* Files and directories among the inputs. FILE_OF_PATH: the first number, from this one on, that a path means, or -1. FILE_OF_DESCRIPTOR:
 * of the file behind a descriptor whose bytes are inputs, or -1. FILE_IS_THERE, FILE_IS_DIRECTORY: from now on there is one of this number,
 * by its own name or at this path; a file's bytes are not the machine's business. FILE_IS_KNOWN: from now on the one behind this descriptor
 * is what was written to it, as any other. The rest is about all files and directories. FILE_NODE, FILE_NODE_BEHIND: a number that stands
 * for what a path or a descriptor leads to, whatever its name is then, or -1. FILE_INPUT: the number among the inputs of such a one, or -1.
 * FILE_SIZE: its bytes, if it is none. FILE_KIND: as __covenant_kind. FILE_CHANGES: how often the program has changed what there is.
 * FILE_DESCRIPTORS: how many descriptors there are, with those that are closed again. */
enum {
    FILE_OF_PATH, FILE_OF_DESCRIPTOR, FILE_IS_THERE, FILE_IS_KNOWN, FILE_NODE, FILE_NODE_BEHIND, FILE_INPUT, FILE_SIZE, FILE_IS_DIRECTORY,
    FILE_KIND, FILE_CHANGES, FILE_DESCRIPTORS
};
long long __covenant_file(int what, long long number, const char *path);
/* The size of a living heap object, given its start; traps like __covenant_free. */
size_t __covenant_size(void *object);

/* Ends the run with an exit status; no handler runs. */
_Noreturn void __covenant_exit(int status);
/* Ends the run as a signal does whose default is to end the process. */
_Noreturn void __covenant_killed(int signal);
/* The world that a run has differs here from that of a native run, or may: a run whose results are claimed ends, any
 * other gets `otherwise` back. `what` is told; the pointers that follow lead to what the call would write. */
long long __covenant_unsupported(const char *what, long long otherwise, ...);
/* 0, or 1 where all that C leaves open is otherwise, to see what of a run depends on it. */
int __covenant_elsewhere(void);
/* A number that the world chooses, where nobody can count on one: `value`, and a run that goes on by it says so. The same thing asked for
 * twice, by what it is and its number, is the same. UNSURE_ORDER: not a number, what comes next is in an order that is not known. */
enum { UNSURE_ORDER, UNSURE_INODE, UNSURE_DEVICE, UNSURE_OWNER, UNSURE_OTHER };
long long __covenant_unsure(int what, long long number, long long value);
/* Whether the run ends at arithmetic and at calls of the library for which C gives no meaning, though machines have one. */
int __covenant_to_the_letter(void);
/* Ends the run as SIGABRT would. */
_Noreturn void __covenant_abort(void);
/* Ends the run with a failed assertion, at the place of the call that led here. */
_Noreturn void __covenant_assert_fail(const char *expression);

/* File descriptors: 0, 1, 2 and files that live in memory. As the system calls of the same name: a negative
 * result is -errno, or -4096 where it fails for a reason that differs from system to system. */
long long __covenant_read(int fd, void *to, size_t bytes);
long long __covenant_write(int fd, const void *from, size_t bytes);
/* flags: 1 read, 2 write, 4 create, 8 truncate, 16 append, 32 must not exist */
int __covenant_open(const char *path, int flags);
int __covenant_close(int fd);
/* whence: 0 start, 1 here, 2 end */
long long __covenant_seek(int fd, long long offset, int whence);
int __covenant_unlink(const char *path);
int __covenant_rename(const char *from, const char *to);
int __covenant_mkdir(const char *path);
int __covenant_rmdir(const char *path);
/* 1: a file, 2: a directory */
int __covenant_kind(const char *path);
/* What is in a directory, by its number from 0: its name, which has 256 bytes at most, and its kind; 0: nothing has this number. */
int __covenant_child(const char *directory, long long number, char *name);

/* The characters of a finite, non-negative number as printf's e, f, g or a conversion (lower case) would write
 * them, without sign, width or padding, exactly rounded. alternate is the # flag; precision < 0 means none given.
 * Writes at most capacity characters, no terminator, and returns the length that is needed. */
size_t __covenant_format_double(char *to, size_t capacity, double value, int conversion, int precision, int alternate);
size_t __covenant_format_long_double(char *to, size_t capacity, const long double *value, int conversion,
                                     int precision, int alternate);
/* The value, correctly rounded, of a decimal or 0x number without sign that is known to be well-formed. Out of range
 * gives infinity or the denormal (or 0) that is nearest. */
float __covenant_parse_float(const char *text, size_t length);
double __covenant_parse_double(const char *text, size_t length);
void __covenant_parse_long_double(const char *text, size_t length, long double *to);

/* Runs the destructors of the program; exit calls it after the handlers of atexit and before streams are flushed. */
void __covenant_run_destructors(void);

/* The one function that the machine calls: it runs main(argc, argv, envp), then exit with its result, and so never
 * returns. Constructors have run by then. argv and envp end with NULL. */
int __covenant_start(int argc, char **argv, char **envp);

#endif
