/* Options: what is returned, where the scan stands, how the arguments end up and what is said on standard error. */
#include <getopt.h>

#include "check.h"

TWIN(getopt);
TWIN(getopt_long);
TWIN(getopt_long_only);
TWIN(optarg);
TWIN(optind);
TWIN(optopt);
TWIN(opterr);

static int flag;
static const struct option longs[] = {
    {"help", no_argument, NULL, 'h'},       {"verbose", no_argument, &flag, 7},  {"version", no_argument, NULL, 'V'},
    {"output", required_argument, NULL, 'o'}, {"opt", optional_argument, NULL, 'p'}, {"a", no_argument, NULL, 1000},
    {"color", optional_argument, NULL, 'c'},  {"colour", optional_argument, NULL, 'c'}, {0},
};

enum kind { SHORT, LONG, LONG_ONLY };

struct step {
    int result;
    int index;
    int option;
    int which;
    char *argument;
};

struct record {
    struct step steps[24];
    int count;
    char said[1024];
};

static void run(struct record *record, enum kind kind, bool ours, int argc, char **argv, const char *options) {
    int *index = ours ? &cov_optind : &optind;
    *index = 0;
    if (ours) cov_optopt = 0; else optopt = 0;
    capture_start(2);
    for (record->count = 0; record->count < 24; record->count++) {
        struct step *step = &record->steps[record->count];
        step->which = -1;
        if (kind == SHORT) {
            step->result = (ours ? cov_getopt : getopt)(argc, argv, options);
        } else if (kind == LONG) {
            step->result = (ours ? cov_getopt_long : getopt_long)(argc, argv, options, longs, &step->which);
        } else {
            step->result = (ours ? cov_getopt_long_only : getopt_long_only)(argc, argv, options, longs, &step->which);
        }
        step->index = *index;
        bool bad = step->result == '?' || step->result == ':';
        step->option = bad ? (ours ? cov_optopt : optopt) : 0;
        step->argument = ours ? cov_optarg : optarg;
        if (step->result == -1) break;
    }
    capture_end(2, record->said, sizeof record->said);
}

static void compare(enum kind kind, int argc, char **arguments, const char *options) {
    char *x[16];
    char *y[16];
    memcpy(x, arguments, sizeof x);
    memcpy(y, arguments, sizeof y);
    static struct record wanted;
    static struct record got;
    memset(&wanted, 0, sizeof wanted);
    memset(&got, 0, sizeof got);
    run(&wanted, kind, false, argc, x, options);
    run(&got, kind, true, argc, y, options);
    bool same = wanted.count == got.count && memcmp(x, y, sizeof x) == 0 && strcmp(wanted.said, got.said) == 0;
    same = same && memcmp(wanted.steps, got.steps, sizeof got.steps) == 0;
    if (same) return;
    char line[512] = "";
    for (int i = 1; i < argc; i++) snprintf(line + strlen(line), sizeof line - strlen(line), " %s", arguments[i]);
    int at = 0;
    while (at < 23 && memcmp(&wanted.steps[at], &got.steps[at], sizeof(struct step)) == 0) at++;
    struct step *a = &wanted.steps[at];
    struct step *b = &got.steps[at];
    fail("getopt kind %d \"%s\":%s: step %d wanted %d index %d opt %d arg %s, got %d %d %d %s; said \"%s\", \"%s\"",
         kind, options, line, at, a->result, a->index, a->option, a->argument, b->result, b->index, b->option,
         b->argument,
         wanted.said, got.said);
}

void check_getopt(void) {
    static char *pool[] = {"-a",     "-b",        "-ab",      "-o",     "-ofile",  "-o=x",   "--",     "-",
                           "file",   "other",     "--help",   "--hel",  "--ver",   "--verb", "--output", "--output=x",
                           "--out",  "--opt",     "--opt=y",  "--bad",  "--help=1", "-h",    "-x",     "-p",
                           "-pval",  "-help",     "-output",  "-W",     "help",    "-Whelp", "--col",  "-:",
                           "",       "-a-b",      "--a",      "-Woutput=3", "--=",  "-output=3", "-verb"};
    static const char *const options[] = {"abo:p::h", "+abo:", "-abo:p::", ":abo:", "abo:W;h", "", "+:ao:", "-:b", "h"};
    for (int round = 0; round < 6000; round++) {
        char *arguments[16] = {"prog"};
        int argc = 1 + (int)below(7);
        for (int i = 1; i < argc; i++) arguments[i] = pool[below(sizeof pool / sizeof *pool)];
        compare((enum kind)below(3), argc, arguments, options[below(sizeof options / sizeof *options)]);
    }
    opterr = cov_opterr = 0;
    char *arguments[16] = {"prog", "-x", "--bad"};
    compare(LONG, 3, arguments, "a");
    opterr = cov_opterr = 1;
    setenv("POSIXLY_CORRECT", "1", 1);
}
