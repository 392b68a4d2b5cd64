/* Sorting, searching, the heap, the environment, random numbers. */
#include <search.h>
#include <unistd.h>

#include "check.h"

TWIN(qsort);
TWIN(qsort_r);
TWIN(bsearch);
TWIN(malloc);
TWIN(calloc);
TWIN(realloc);
TWIN(reallocarray);
TWIN(aligned_alloc);
TWIN(posix_memalign);
TWIN(free);
TWIN(getenv);
TWIN(setenv);
TWIN(unsetenv);
TWIN(putenv);
TWIN(clearenv);
TWIN(div);
TWIN(ldiv);
TWIN(lfind);
TWIN(tsearch);
TWIN(tfind);
TWIN(tdelete);
TWIN(twalk);
TWIN(basename);
extern char *__xpg_basename(char *);
extern char *dirname(char *);
TWIN(__xpg_basename);
TWIN(dirname);

struct item {
    int key;
    int place;
};

/* The pairs that were compared, in order. */
static uint64_t trace;

static int by_key(const void *left, const void *right) {
    const struct item *a = left;
    const struct item *b = right;
    trace = trace * 31 + (uint64_t)(a->place * 1000 + b->place);
    return (a->key > b->key) - (a->key < b->key);
}

struct large {
    struct item item;
    char rest[60];
};

static void sorting(void) {
    static struct item x[400];
    static struct item y[400];
    static struct large p[60];
    static struct large q[60];
    for (int round = 0; round < 2000; round++) {
        unsigned count = below(round % 50 == 0 ? 400 : 20);
        unsigned range = 1 + below(30);
        for (unsigned i = 0; i < count; i++) x[i] = y[i] = (struct item){(int)below(range), (int)i};
        trace = 0;
        qsort(x, count, sizeof *x, by_key);
        uint64_t wanted = trace;
        trace = 0;
        cov_qsort(y, count, sizeof *y, by_key);
        CHECK(memcmp(x, y, count * sizeof *x) == 0 && trace == wanted, "qsort of %u", count);
        count = below(60);
        for (unsigned i = 0; i < count; i++) p[i].item = q[i].item = (struct item){(int)below(range), (int)i};
        trace = 0;
        qsort(p, count, sizeof *p, by_key);
        wanted = trace;
        trace = 0;
        cov_qsort(q, count, sizeof *q, by_key);
        CHECK(memcmp(p, q, count * sizeof *p) == 0 && trace == wanted, "qsort of %u large", count);
        struct item key = {(int)below(range), -1};
        qsort(x, count, sizeof *x, by_key);
        trace = 0;
        void *found = bsearch(&key, x, count, sizeof *x, by_key);
        wanted = trace;
        trace = 0;
        CHECK(cov_bsearch(&key, x, count, sizeof *x, by_key) == found && trace == wanted, "bsearch");
    }
}

static void heap(void) {
    char *object = cov_malloc(10);
    memcpy(object, "123456789", 10);
    object = cov_realloc(object, 1000);
    CHECK(strcmp(object, "123456789") == 0, "realloc keeps");
    object = cov_realloc(object, 3);
    CHECK(memcmp(object, "123", 3) == 0, "realloc shrinks");
    CHECK(cov_realloc(object, 0) == NULL, "realloc frees");
    cov_errno = 0;
    CHECK(cov_malloc(SIZE_MAX) == NULL && cov_errno == ENOMEM, "malloc too large");
    cov_errno = 0;
    CHECK(cov_calloc(SIZE_MAX / 2, 3) == NULL && cov_errno == ENOMEM, "calloc too large");
    cov_errno = 0;
    CHECK(cov_reallocarray(NULL, SIZE_MAX / 2, 3) == NULL && cov_errno == ENOMEM, "reallocarray too large");
    char *zeros = cov_calloc(7, 9);
    for (int i = 0; i < 63; i++) CHECK(zeros[i] == 0, "calloc is not zero");
    cov_free(zeros);
    void *aligned = cov_aligned_alloc(256, 512);
    CHECK((uintptr_t)aligned % 256 == 0, "aligned_alloc");
    cov_free(aligned);
    CHECK(cov_posix_memalign(&aligned, 3, 8) == EINVAL && cov_posix_memalign(&aligned, 64, 8) == 0, "posix_memalign");
    cov_free(aligned);
    cov_free(NULL);
}

static void environment(void) {
    static char put[] = "PUT=1";
    static const struct {
        int kind;
        const char *name;
        const char *value;
    } steps[] = {{0, "A", "1"}, {0, "B", "2"},  {0, "A", "3"}, {1, "A", "4"}, {2, "B", ""}, {2, "NONE", ""},
                 {0, "", "x"}, {0, "A=B", "x"}, {2, "", ""}, {3, "", ""},   {0, "C", ""},  {1, "D", "5"}, {2,
                 "PUT", ""}};
    clearenv();
    cov_clearenv();
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const char *name = steps[i].name;
        const char *value = steps[i].value;
        int wanted = 0;
        int got = 0;
        if (steps[i].kind < 2) {
            wanted = setenv(name, value, 1 - steps[i].kind);
            got = cov_setenv(name, value, 1 - steps[i].kind);
        } else if (steps[i].kind == 2) {
            wanted = unsetenv(name);
            got = cov_unsetenv(name);
        } else {
            wanted = putenv(put);
            got = cov_putenv(put);
        }
        CHECK(wanted == got, "environment step %zu", i);
        static const char *const names[] = {"A", "B", "C", "D", "PUT", "NONE", "", "A=B", "PU"};
        for (int n = 0; n < 9; n++) {
            char *x = getenv(names[n]);
            char *y = cov_getenv(names[n]);
            CHECK((x == NULL) == (y == NULL) && (x == NULL || strcmp(x, y) == 0), "getenv %s after %zu", names[n], i);
        }
    }
}

static void paths(void) {
    static const char *const all[] = {"",    "/",    "//",   "///",    "a",     "a/",   "/a",  "/a/",   "a/b",
                                      "a/b/", "/a/b", "//a",  "///a//", "a//b//", ".",    "..",  "./a",   "/usr//lib/"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char x[32];
        char y[32];
        strcpy(x, all[i]);
        strcpy(y, all[i]);
        CHECK(strcmp(__xpg_basename(x), cov___xpg_basename(y)) == 0, "libgen basename %s", all[i]);
        strcpy(x, all[i]);
        strcpy(y, all[i]);
        CHECK(strcmp(dirname(x), cov_dirname(y)) == 0, "dirname %s: %s", all[i], y);
        CHECK(basename(all[i]) == cov_basename(all[i]), "basename %s", all[i]);
    }
}

/* A tree finds what a list finds; the order of a walk is that of the keys. */
static int walked[64];
static int walked_count;

static int by_value(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }

static void note(const void *node, VISIT visit, int depth) {
    CHECK(depth < 12, "the tree is not balanced: depth %d", depth);
    if (visit == postorder || visit == leaf) walked[walked_count++] = **(int *const *)node;
}

static void trees(void) {
    static int values[64];
    for (int i = 0; i < 64; i++) values[i] = i;
    for (int round = 0; round < 300; round++) {
        void *root = NULL;
        bool in[64] = {false};
        for (int step = 0; step < 200; step++) {
            int value = (int)below(64);
            if (round % 5 == 0) value = step % 64;
            if (below(3) != 0) {
                int *const *found = cov_tsearch(&values[value], &root, by_value);
                CHECK(*found == &values[value], "tsearch %d", value);
                in[value] = true;
            } else {
                void *parent = cov_tdelete(&values[value], &root, by_value);
                CHECK((parent != NULL) == in[value], "tdelete %d", value);
                in[value] = false;
            }
            int probe = (int)below(64);
            CHECK((cov_tfind(&values[probe], &root, by_value) != NULL) == in[probe], "tfind %d", probe);
        }
        walked_count = 0;
        cov_twalk(root, note);
        int expected = 0;
        for (int i = 0; i < 64; i++) {
            if (in[i]) CHECK(expected < walked_count && walked[expected++] == i, "twalk at %d", i);
        }
        CHECK(expected == walked_count, "twalk visits %d of %d", walked_count, expected);
        for (int i = 0; i < 64; i++) cov_tdelete(&values[i], &root, by_value);
        CHECK(root == NULL, "an empty tree has no root");
    }
}

void check_stdlib(void) {
    sorting();
    heap();
    environment();
    paths();
    trees();
    for (int i = 0; i < 100; i++) {
        int x = (int)chance();
        int y = (int)below(1000) + 1;
        div_t first = div(x, y);
        div_t second = cov_div(x, y);
        CHECK(first.quot == second.quot && first.rem == second.rem, "div");
    }
}

#define RANDOMS(X) \
    X(rand) X(srand) X(random) X(srandom) X(initstate) X(setstate) X(rand_r) X(drand48) X(lrand48) X(mrand48) \
    X(srand48) X(seed48) X(lcong48) X(erand48) X(nrand48) X(jrand48) X(random_r) X(srandom_r) \
    X(initstate_r) X(setstate_r)
#define DECLARE(name) TWIN(name);
RANDOMS(DECLARE)

static void same_numbers(const char *when, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        long wanted = i % 2 ? random() : rand();
        long got = i % 2 ? cov_random() : cov_rand();
        if (wanted != got) {
            fail("%s: number %u is %ld, not %ld", when, i, got, wanted);
            return;
        }
    }
}

static void same_48(const char *when) {
    for (int i = 0; i < 200; i++) {
        CHECK(drand48() == cov_drand48(), "%s: drand48", when);
        CHECK(lrand48() == cov_lrand48(), "%s: lrand48", when);
        CHECK(mrand48() == cov_mrand48(), "%s: mrand48", when);
    }
}

void check_random(void) {
    static const unsigned seeds[] = {0, 1, 2, 42, 12345, 0x7fffffff, 0x80000000, 0xffffffff};
    same_numbers("unseeded", 1000);
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        srand(seeds[i]);
        cov_srand(seeds[i]);
        same_numbers("srand", 1000);
        unsigned x = seeds[i];
        unsigned y = seeds[i];
        for (int n = 0; n < 100; n++) CHECK(rand_r(&x) == cov_rand_r(&y) && x == y, "rand_r");
        srand48((long)seeds[i]);
        cov_srand48((long)seeds[i]);
        same_48("srand48");
    }
    static char states[5][2][256];
    static const size_t sizes[] = {8, 40, 64, 128, 256};
    for (int i = 0; i < 5; i++) {
        initstate(7, states[i][0], sizes[i]);
        cov_initstate(7, states[i][1], sizes[i]);
        same_numbers("initstate", 333);
    }
    for (int i = 0; i < 20; i++) {
        unsigned which = below(5);
        setstate(states[which][0]);
        cov_setstate(states[which][1]);
        same_numbers("setstate", 1 + below(100));
    }
    unsigned short x[3] = {1, 2, 3};
    unsigned short y[3] = {1, 2, 3};
    for (int i = 0; i < 100; i++) {
        CHECK(erand48(x) == cov_erand48(y) && nrand48(x) == cov_nrand48(y) && jrand48(x) == cov_jrand48(y), "erand48");
    }
    CHECK(memcmp(seed48(x), cov_seed48(y), 6) == 0, "seed48");
    same_48("seed48");
    unsigned short parameters[7] = {1, 2, 3, 4, 5, 6, 7};
    lcong48(parameters);
    cov_lcong48(parameters);
    same_48("lcong48");
    struct random_data first = {0};
    struct random_data second = {0};
    initstate_r(3, states[0][0], 64, &first);
    cov_initstate_r(3, states[0][1], 64, &second);
    for (int i = 0; i < 100; i++) {
        int32_t a;
        int32_t b;
        random_r(&first, &a);
        cov_random_r(&second, &b);
        CHECK(a == b, "random_r");
    }
}
