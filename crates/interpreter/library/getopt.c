/* getopt.h: the arguments are permuted, unless the options string or POSIXLY_CORRECT say otherwise, so that at the end
 * all that are no options stand last. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

static struct {
    bool started;
    enum { PERMUTE, IN_ORDER, STOP } ordering;
    /* What is left of an argument that holds several short options. */
    char *rest;
    /* Arguments [first, last) were skipped as no options. */
    int first;
    int last;
} scan;

static void reverse(char **argv, int from, int to) {
    for (to--; from < to; from++, to--) {
        char *kept = argv[from];
        argv[from] = argv[to];
        argv[to] = kept;
    }
}

/* Brings the options [last, optind) before the skipped arguments [first, last). */
static void exchange(char **argv) {
    reverse(argv, scan.first, scan.last);
    reverse(argv, scan.last, optind);
    reverse(argv, scan.first, optind);
    scan.first += optind - scan.last;
    scan.last = optind;
}

static void start(const char *options) {
    if (optind == 0) optind = 1;
    scan.first = optind;
    scan.last = optind;
    scan.rest = NULL;
    scan.started = true;
    if (*options == '-') {
        scan.ordering = IN_ORDER;
    } else if (*options == '+') {
        scan.ordering = STOP;
    } else {
        scan.ordering = getenv("POSIXLY_CORRECT") != NULL ? STOP : PERMUTE;
    }
}

static bool is_option(const char *argument) { return argument[0] == '-' && argument[1] != '\0'; }

/* A call of the family: everything that stays the same during it. */
struct call {
    int argc;
    char **argv;
    const char *options;
    const struct option *longs;
    int *long_index;
    bool long_only;
    bool quiet;
};

static bool names(const struct option *option, const char *text, size_t length) {
    return strncmp(option->name, text, length) == 0;
}

static void say_ambiguous(const struct call *call, const char *text, size_t length, const char *prefix) {
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", call->argv[0], prefix, text);
    for (const struct option *option = call->longs; option->name != NULL; option++) {
        if (names(option, text, length)) fprintf(stderr, " '%s%s'", prefix, option->name);
    }
    fprintf(stderr, "\n");
}

/* The option that text names: exactly, or as the only one that begins so. Several that mean the same are one. */
static const struct option *find_long(const struct call *call, const char *text, size_t length, bool *ambiguous) {
    const struct option *found = NULL;
    *ambiguous = false;
    for (const struct option *option = call->longs; option->name != NULL; option++) {
        if (names(option, text, length) && strlen(option->name) == length) return option;
    }
    for (const struct option *option = call->longs; option->name != NULL; option++) {
        if (!names(option, text, length)) continue;
        if (found == NULL) {
            found = option;
        } else if (call->long_only || found->has_arg != option->has_arg || found->flag != option->flag ||
                   found->val != option->val) {
            *ambiguous = true;
        }
    }
    return found;
}

static int take_long(const struct call *call, const struct option *option, const char *value, const char *prefix) {
    scan.rest = NULL;
    if (value != NULL) {
        if (option->has_arg == no_argument) {
            if (!call->quiet) {
                fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", call->argv[0], prefix, option->name);
            }
            optopt = option->val;
            return '?';
        }
        optarg = (char *)value;
    } else if (option->has_arg == required_argument) {
        if (optind >= call->argc) {
            if (!call->quiet) {
                fprintf(stderr, "%s: option '%s%s' requires an argument\n", call->argv[0], prefix, option->name);
            }
            optopt = option->val;
            return call->options[0] == ':' ? ':' : '?';
        }
        optarg = call->argv[optind++];
    }
    if (call->long_index != NULL) *call->long_index = (int)(option - call->longs);
    if (option->flag == NULL) return option->val;
    *option->flag = option->val;
    return 0;
}

/* An argument that may be a long option; -1 when it must be read as short ones. */
static int next_long(const struct call *call, const char *prefix) {
    const char *text = scan.rest;
    size_t length = 0;
    while (text[length] != '\0' && text[length] != '=') length++;
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    bool ambiguous;
    const struct option *option = find_long(call, text, length, &ambiguous);
    if (ambiguous) {
        if (!call->quiet) say_ambiguous(call, text, length, prefix);
        optind++;
        optopt = 0;
        scan.rest = NULL;
        return '?';
    }
    if (option == NULL) {
        bool may_be_short = call->long_only && prefix[1] != '-' && strchr(call->options, text[0]) != NULL;
        if (may_be_short) return -1;
        if (!call->quiet) fprintf(stderr, "%s: unrecognized option '%s%s'\n", call->argv[0], prefix, text);
        optind++;
        optopt = 0;
        scan.rest = NULL;
        return '?';
    }
    optind++;
    return take_long(call, option, value, prefix);
}

static int complain_short(const struct call *call, char c, const char *format) {
    if (!call->quiet) fprintf(stderr, format, call->argv[0], c);
    optopt = (unsigned char)c;
    return '?';
}

/* The argument of a short option: the rest of this one, or the next. */
static int take_argument(const struct call *call, char c, bool optional) {
    if (*scan.rest != '\0') {
        optarg = scan.rest;
        optind++;
    } else if (optional) {
        optarg = NULL;
        optind++;
    } else if (optind + 1 >= call->argc) {
        optind++;
        scan.rest = NULL;
        complain_short(call, c, "%s: option requires an argument -- '%c'\n");
        return call->options[0] == ':' ? ':' : '?';
    } else {
        optarg = call->argv[optind + 1];
        optind += 2;
    }
    scan.rest = NULL;
    return (unsigned char)c;
}

static int next_short(const struct call *call) {
    char c = *scan.rest++;
    const char *known = strchr(call->options, c);
    bool good = known != NULL && c != ':' && c != ';';
    if (good && c == 'W' && known[1] == ';' && call->longs != NULL) {
        int taken = take_argument(call, c, false);
        if (taken != 'W') return taken;
        scan.rest = optarg;
        optarg = NULL;
        optind--;
        return next_long(call, "-W ");
    }
    if (good && known[1] == ':') return take_argument(call, c, known[2] == ':');
    if (*scan.rest == '\0') {
        optind++;
        scan.rest = NULL;
    }
    return good ? (unsigned char)c : complain_short(call, c, "%s: invalid option -- '%c'\n");
}

/* Moves on to the next argument with options; the result when there is none, otherwise 0. */
static int next_argument(const struct call *call) {
    if (scan.last > optind) scan.last = optind;
    if (scan.first > optind) scan.first = optind;
    if (scan.ordering == PERMUTE) {
        if (scan.first != scan.last && scan.last != optind) {
            exchange(call->argv);
        } else if (scan.last != optind) {
            scan.first = optind;
        }
        while (optind < call->argc && !is_option(call->argv[optind])) optind++;
        scan.last = optind;
    }
    if (optind != call->argc && strcmp(call->argv[optind], "--") == 0) {
        optind++;
        if (scan.first != scan.last && scan.last != optind) {
            exchange(call->argv);
        } else if (scan.first == scan.last) {
            scan.first = optind;
        }
        scan.last = call->argc;
        optind = call->argc;
    }
    if (optind == call->argc) {
        if (scan.first != scan.last) optind = scan.first;
        return -1;
    }
    if (is_option(call->argv[optind])) return 0;
    if (scan.ordering == STOP) return -1;
    optarg = call->argv[optind++];
    return 1;
}

static int get(struct call call) {
    if (call.argc < 1) return -1;
    optarg = NULL;
    if (optind == 0 || !scan.started) start(call.options);
    if (*call.options == '-' || *call.options == '+') call.options++;
    call.quiet = call.options[0] == ':' || opterr == 0;
    if (scan.rest == NULL || *scan.rest == '\0') {
        int result = next_argument(&call);
        if (result != 0) return result;
        char *argument = call.argv[optind];
        if (call.longs != NULL && argument[1] == '-') {
            scan.rest = argument + 2;
            return next_long(&call, "--");
        }
        scan.rest = argument + 1;
        bool try_long = call.longs != NULL && call.long_only &&
                        (argument[2] != '\0' || strchr(call.options, argument[1]) == NULL);
        if (try_long) {
            int found = next_long(&call, "-");
            if (found != -1) return found;
        }
    }
    return next_short(&call);
}

int getopt(int argc, char *const *argv, const char *options) {
    return get((struct call){.argc = argc, .argv = (char **)argv, .options = options});
}

int __posix_getopt(int argc, char *const *argv, const char *options) {
    if (optind == 0 || !scan.started) {
        start(options);
        if (scan.ordering == PERMUTE) scan.ordering = STOP;
    }
    return get((struct call){.argc = argc, .argv = (char **)argv, .options = options});
}

int getopt_long(int argc, char *const *argv, const char *options, const struct option *longs, int *long_index) {
    return get((struct call){
        .argc = argc, .argv = (char **)argv, .options = options, .longs = longs, .long_index = long_index});
}

int getopt_long_only(int argc, char *const *argv, const char *options, const struct option *longs, int *long_index) {
    return get((struct call){.argc = argc,
                             .argv = (char **)argv,
                             .options = options,
                             .longs = longs,
                             .long_index = long_index,
                             .long_only = true});
}
