/* What a process is given, where that is an input of the run: arguments, standard input, files and the environment. */
#include <stddef.h>
#include <stdio.h>

#include "internal.h"

/* Bytes of standard input that were read so far. */
static long taken;

static bool is_input(int descriptor) { return descriptor == 0 && __covenant_bound(BOUND_INPUT) > 0; }

/* Whether there is another byte is asked before each, so that a run decides no more of its input than it reads. */
static long read_input(char *to, size_t length) {
    long most = __covenant_bound(BOUND_INPUT);
    size_t got = 0;
    while (got < length && taken < most && __covenant_given(GIVEN_INPUT, taken, 0)) {
        to[got++] = (char)__covenant_given(GIVEN_INPUT_BYTE, taken++, 0);
    }
    return (long)got;
}

/* The argument of this number, or NULL: there are no more. */
static char *given_argument(int number) {
    if (!__covenant_given(GIVEN_ARGUMENT, number, 0)) return NULL;
    long length = __covenant_bound(BOUND_ARGUMENT);
    char *text = __lib_alloc((size_t)length + 1);
    if (text == NULL) return NULL;
    for (long i = 0; i < length; i++) text[i] = (char)__covenant_given(GIVEN_ARGUMENT_BYTE, number, i);
    text[length] = '\0';
    return text;
}

int __lib_given_arguments(int argc, char ***argv) {
    long most = __covenant_bound(BOUND_ARGUMENTS);
    char **all = most == 0 ? NULL : __lib_alloc(((size_t)most + 2) * sizeof *all);
    if (all == NULL) return argc;
    all[0] = (*argv)[0];
    for (argc = 1; argc <= most; argc++) {
        all[argc] = given_argument(argc);
        if (all[argc] == NULL) break;
    }
    all[argc] = NULL;
    *argv = all;
    return argc;
}
