/* The library under test is linked with every public symbol renamed to cov_*, beside glibc's, so that one program can
 * call both and compare. */
#ifndef CHECK_H
#define CHECK_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Declares the renamed twin of a function of glibc. */
#define TWIN(name) extern __typeof__(name) cov_##name

extern int *cov___errno_location(void);
#define cov_errno (*cov___errno_location())

/* Counts a failed comparison and says what it was; after some it says no more. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define CHECK(condition, ...)            \
    do {                                 \
        if (!(condition)) fail(__VA_ARGS__); \
    } while (0)

/* Numbers that are the same in every run. */
uint64_t chance(void);
static inline unsigned below(unsigned limit) { return (unsigned)(chance() >> 33) % limit; }

/* A quoted form of text, in one of a few rotating buffers. */
const char *show(const char *text);

/* Collects what is written to a descriptor between the two calls. */
void capture_start(int fd);
size_t capture_end(int fd, char *to, size_t size);

void check_printf(void);
void check_printf_fuzz(void);
void check_scanf(void);
void check_strtol(void);
void check_strtod(void);
void check_string(void);
void check_ctype(void);
void check_stdlib(void);
void check_random(void);
void check_time(void);
void check_getopt(void);
void check_math(void);
void check_files(void);
void check_exit(void);

#endif
