/* What the tests of this suite use. It asks nothing of the C standard or library that the subject is compiled with. */
#ifndef COVENANT_H
#define COVENANT_H

/* Code may say that nobody should call it, or how much it has room for: to its callers, not to its tests. */
#if defined(__clang__) || defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Walloc-size-larger-than="
#endif

enum covenant_end {
    COVENANT_RETURNED,
    COVENANT_EXITED,
    COVENANT_ABORTED,
    COVENANT_TRAPPED,
    COVENANT_STEP_LIMIT
};

struct covenant_test {
    const char *name;
    void (*run)(void);
    enum covenant_end expected;
    /* The exit status; -1: any. */
    int status;
    /* What the run that was recorded did wrong, or a null pointer. */
    const char *defect;
};

/* The suite. It ends with a test without a name. */
extern const struct covenant_test covenant_tests[];

/* Inputs. An object has exactly that many bytes, all zero. */
void *covenant_object(unsigned long size);
void covenant_zero(void *object, unsigned long size);
/* A stream at the start of its content, which can be read and written. */
void *covenant_stream(unsigned long size, const char *content);
void covenant_set(void *object, unsigned long offset, unsigned size, unsigned long long bits);
void covenant_set_bytes(void *object, unsigned long offset, unsigned long size, const char *bytes);
void covenant_set_pointer(void *object, unsigned long offset, const void *target);
void covenant_set_function(void *object, unsigned long offset, void (*target)(void));

/* What the next call of a function returns, or writes. */
void covenant_next(const char *function, unsigned size, unsigned long long bits);
void covenant_next_bytes(const char *function, unsigned long size, const char *bytes);
void covenant_next_pointer(const char *function, const void *target);
void covenant_next_function(const char *function, void (*target)(void));

/* What the call of a function with this number, from 1, writes through one of its arguments, which count from 0. */
void covenant_next_write(const char *function, unsigned call, unsigned argument, unsigned long offset,
                         unsigned long size, const char *bytes);
void covenant_next_write_pointer(const char *function, unsigned call, unsigned argument, unsigned long offset,
                                 const void *target);
void covenant_next_write_function(const char *function, unsigned call, unsigned argument, unsigned long offset,
                                  void (*target)(void));
/* A pointer to the place with an argument's number: the call returns that argument. */
extern char covenant_arguments[];

/* The call of a function of the C library with this number, counted from here, fails. */
void covenant_fail(const char *function, unsigned long call);

/* Device registers: where they are; from where on accesses count, and whether one behind those that are told ends the process; what
 * the next read gives, and the next write writes. */
void covenant_device(unsigned long start, unsigned long size);
void covenant_volatile(unsigned long start, unsigned long size);
void covenant_plain(unsigned long start, unsigned long size);
void covenant_device_begin(int ends);
void covenant_device_reads(unsigned long address, unsigned size, unsigned long long value);
void covenant_device_writes(unsigned long address, unsigned size, unsigned long long value);
void covenant_device_writes_any(unsigned long address, unsigned size);
void covenant_device_rest(void);
const char *covenant_device_end(void);
/* All of that was done, and nothing else. */
void covenant_expect_device(void);

/* The arguments and the standard input of a program. */
void covenant_argument(const char *text);
void covenant_input(unsigned long size, const char *bytes);
/* A directory of the test's own, another one or a file in it, and a variable of its environment (NULL: it has none of that name). */
void covenant_directory(void);
void covenant_folder(const char *name);
void covenant_file(const char *name, unsigned long size, const char *bytes);
void covenant_variable(const char *name, const char *value);
int covenant_argc(void);
char **covenant_argv(void);
char **covenant_environment(void);

/* The function under test has returned; a program ends with `covenant_exit`. */
void covenant_returned(void);
void covenant_exit(int status);

/* What the run left behind. */
void covenant_expect(const char *what, const void *object, unsigned long offset, unsigned size,
                     unsigned long long bits);
void covenant_expect_float(const char *what, const void *object, unsigned long offset, unsigned size,
                           unsigned long long bits);
void covenant_expect_bytes(const char *what, const void *object, unsigned long offset, unsigned long size,
                           const char *bytes);
void covenant_expect_pointer(const char *what, const void *object, unsigned long offset, const void *target);
void covenant_expect_function(const char *what, const void *object, unsigned long offset, void (*target)(void));

void covenant_expect_some(const char *what, const void *object, unsigned long offset);
void covenant_expect_bits(const char *what, const void *object, unsigned long offset, unsigned first, unsigned width,
                          unsigned long long bits);
/* What the pointer there points to now. It ends the test if that is nothing. */
const void *covenant_behind(const void *object, unsigned long offset);

/* Before the call: errno is 0, and if `captures`, what is printed from now on is kept. */
void covenant_begin(int captures);
/* The same for all that a whole program prints until its end. */
void covenant_expect_printed(unsigned long size, const char *output, unsigned long error_size, const char *error);
/* A file as it is then in the test's directory (NULL: there is none of that name). */
void covenant_expect_file(const char *name, unsigned long size, const char *bytes);
/* What was printed there, 1 or 2; what errno was when the function returned. */
void covenant_expect_output(int stream, unsigned long size, const char *bytes);
void covenant_expect_errno(int value);

/* Objects of the code under test are counted from here; how many of them it has not freed. */
void covenant_count_objects(void);
void covenant_expect_allocated(long objects);

/* What a call of a function gets, by its number (from 1); how often it is called. */
void covenant_gets(const char *function, unsigned long call, unsigned index, unsigned size, unsigned long long bits);
void covenant_gets_pointer(const char *function, unsigned long call, unsigned index, const void *target);
void covenant_gets_some(const char *function, unsigned long call, unsigned index);
void covenant_expect_calls(const char *function, unsigned long calls);

/* For the bodies of functions that the subject calls and does not define: such a function was called. */
void covenant_heard(const char *function);
void covenant_heard_argument(const char *function, unsigned index, const char *name, int class,
                             const volatile void *value, unsigned long size);

/* For the bodies of functions that the subject calls and does not define. */
void covenant_answer(const char *function, void *result, unsigned long size);
unsigned covenant_called(const char *function);
void covenant_write(const char *function, unsigned call, unsigned argument, void *to);
void covenant_undefined(const char *function);
/* The run ends with a call of such a function. */
void covenant_expect_end(const char *function);
/* It may. */
void covenant_may_end(const char *function);
void covenant_assume(int holds, const char *function);

#endif
