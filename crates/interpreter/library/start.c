/* The way in and the ways out of a program. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

char *program_invocation_name = "";
char *program_invocation_short_name = "";
char *__progname = "";
char *__progname_full = "";

int main();

struct handler {
    struct handler *next;
    void (*plain)(void);
    void (*with_status)(int, void *);
    void *argument;
};

static struct handler *exit_handlers;
static struct handler *quick_handlers;

static int add_handler(struct handler **list, struct handler handler) {
    struct handler *added = __lib_alloc(sizeof *added);
    if (added == NULL) return -1;
    *added = handler;
    added->next = *list;
    *list = added;
    return 0;
}

int atexit(void (*function)(void)) { return add_handler(&exit_handlers, (struct handler){.plain = function}); }

int on_exit(void (*function)(int, void *), void *argument) {
    return add_handler(&exit_handlers, (struct handler){.with_status = function, .argument = argument});
}

int at_quick_exit(void (*function)(void)) { return add_handler(&quick_handlers, (struct handler){.plain = function}); }

/* A handler may register another, which then runs next. */
static void run_handlers(struct handler **list, int status) {
    while (*list != NULL) {
        struct handler handler = **list;
        __covenant_free(*list);
        *list = handler.next;
        if (handler.plain != NULL) {
            handler.plain();
        } else {
            handler.with_status(status, handler.argument);
        }
    }
}

void _exit(int status) { __covenant_exit(status & 0xff); }
void _Exit(int status) { __covenant_exit(status & 0xff); }

void exit(int status) {
    run_handlers(&exit_handlers, status);
    __covenant_run_destructors();
    __lib_stream_flush_all();
    __covenant_exit(status & 0xff);
}

void quick_exit(int status) {
    run_handlers(&quick_handlers, status);
    __covenant_exit(status & 0xff);
}

/* As the kernel's SIGABRT: a handler of the program runs first, and streams are not flushed. */
void abort(void) {
    __lib_signal_deliver(SIGABRT);
    __covenant_abort();
}

int __covenant_start(int argc, char **argv, char **envp) {
    envp = __lib_given_environment(envp);
    environ = envp;
    argc = __lib_given_arguments(argc, &argv);
    if (argc > 0 && argv[0] != NULL) {
        char *slash = strrchr(argv[0], '/');
        program_invocation_name = argv[0];
        program_invocation_short_name = slash == NULL ? argv[0] : slash + 1;
        __progname_full = program_invocation_name;
        __progname = program_invocation_short_name;
    }
    exit(main(argc, argv, envp));
}
