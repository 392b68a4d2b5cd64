/* stdlib.h: random numbers, bit for bit those of glibc. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* random(): additive feedback x[i] = x[i-degree] + x[i-separation], where the state's first word before the table
 * tells which of the five generators it belongs to. Type 0 is a plain congruential generator. */
enum { TYPES = 5, DEFAULT_TYPE = 3 };
static const int degrees[TYPES] = {0, 7, 15, 31, 63};
static const int separations[TYPES] = {0, 3, 1, 3, 1};
static const size_t sizes[TYPES] = {8, 32, 64, 128, 256};

static int32_t default_table[32];
static struct random_data generator;
static bool started;

static int32_t sum(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

static int step(struct random_data *data, int32_t *result) {
    int32_t *state = data->state;
    if (data->rand_type == 0) {
        int32_t value = (int32_t)(((uint32_t)state[0] * 1103515245U + 12345U) & 0x7fffffff);
        state[0] = value;
        *result = value;
        return 0;
    }
    int32_t value = *data->fptr = sum(*data->fptr, *data->rptr);
    *result = (int32_t)((uint32_t)value >> 1);
    if (++data->fptr >= data->end_ptr) {
        data->fptr = state;
        data->rptr++;
    } else if (++data->rptr >= data->end_ptr) {
        data->rptr = state;
    }
    return 0;
}

static void seed_state(struct random_data *data, unsigned seed) {
    int32_t *state = data->state;
    int32_t word = seed == 0 ? 1 : (int32_t)seed;
    state[0] = word;
    if (data->rand_type == 0) return;
    for (int i = 1; i < data->rand_deg; i++) {
        /* 16807 * word % 2147483647 without overflow. */
        long high = word / 127773;
        long low = word % 127773;
        word = (int32_t)(16807 * low - 2836 * high);
        if (word < 0) word += 2147483647;
        state[i] = word;
    }
    data->fptr = state + data->rand_sep;
    data->rptr = state;
    for (int i = 0; i < data->rand_deg * 10; i++) {
        int32_t ignored;
        step(data, &ignored);
    }
}

/* The word in front of the table: the type, and where the rear pointer stood. */
static void save_place(struct random_data *data) {
    if (data->rand_type == 0) {
        data->state[-1] = 0;
    } else {
        data->state[-1] = (int32_t)(TYPES * (data->rptr - data->state)) + data->rand_type;
    }
}

static void use_table(struct random_data *data, int32_t *table, int type) {
    data->rand_type = type;
    data->rand_deg = degrees[type];
    data->rand_sep = separations[type];
    data->state = table + 1;
    data->end_ptr = data->state + degrees[type];
}

static int begin(struct random_data *data, unsigned seed, int32_t *table, size_t size) {
    if (size < sizes[0]) {
        errno = EINVAL;
        return -1;
    }
    int type = TYPES - 1;
    while (size < sizes[type]) type--;
    if (data->state != NULL) save_place(data);
    use_table(data, table, type);
    seed_state(data, seed);
    save_place(data);
    return 0;
}

static int resume(struct random_data *data, int32_t *table) {
    /* The table may be the one in use. */
    save_place(data);
    int type = table[0] % TYPES;
    int place = table[0] / TYPES;
    if (table[0] < 0) {
        errno = EINVAL;
        return -1;
    }
    use_table(data, table, type);
    if (type != 0) {
        data->rptr = data->state + place;
        data->fptr = data->state + (place + separations[type]) % degrees[type];
    }
    return 0;
}

static struct random_data *default_generator(void) {
    if (!started) {
        started = true;
        begin(&generator, 1, default_table, sizeof default_table);
    }
    return &generator;
}

int srandom_r(unsigned seed, struct random_data *data) {
    seed_state(data, seed);
    return 0;
}

int random_r(struct random_data *restrict data, int32_t *restrict result) { return step(data, result); }

int initstate_r(unsigned seed, char *restrict table, size_t size, struct random_data *restrict data) {
    return begin(data, seed, (int32_t *)(void *)table, size);
}

int setstate_r(char *restrict table, struct random_data *restrict data) {
    return resume(data, (int32_t *)(void *)table);
}

void srand(unsigned seed) { seed_state(default_generator(), seed); }
void srandom(unsigned seed) { seed_state(default_generator(), seed); }

int rand(void) {
    int32_t result;
    step(default_generator(), &result);
    return result;
}

long random(void) {
    int32_t result;
    step(default_generator(), &result);
    return result;
}

char *initstate(unsigned seed, char *table, size_t size) {
    struct random_data *data = default_generator();
    char *old = (char *)(data->state - 1);
    return begin(data, seed, (int32_t *)(void *)table, size) == 0 ? old : NULL;
}

char *setstate(char *table) {
    struct random_data *data = default_generator();
    char *old = (char *)(data->state - 1);
    return resume(data, (int32_t *)(void *)table) == 0 ? old : NULL;
}

static unsigned congruential(unsigned *seed) {
    *seed = *seed * 1103515245U + 12345U;
    return *seed / 65536;
}

int rand_r(unsigned *seed) {
    unsigned result = congruential(seed) % 2048;
    result = result << 10 ^ congruential(seed) % 1024;
    result = result << 10 ^ congruential(seed) % 1024;
    return (int)result;
}

/* The 48-bit family: x = a x + c modulo 2^48. */

static const uint64_t default_multiplier = 0x5deece66dULL;
static const unsigned short default_increment = 0xb;
static struct {
    unsigned short x[3];
    unsigned short old[3];
    uint64_t multiplier;
    unsigned short increment;
} lcg = {.multiplier = 0x5deece66dULL, .increment = 0xb};

static uint64_t advance(unsigned short x[3]) {
    uint64_t value = (uint64_t)x[2] << 32 | (uint64_t)x[1] << 16 | x[0];
    value = (value * lcg.multiplier + lcg.increment) & 0xffffffffffffULL;
    x[0] = (unsigned short)(value & 0xffff);
    x[1] = (unsigned short)(value >> 16 & 0xffff);
    x[2] = (unsigned short)(value >> 32 & 0xffff);
    return value;
}

double erand48(unsigned short x[3]) { return (double)advance(x) * 0x1p-48; }
long nrand48(unsigned short x[3]) { return (long)(advance(x) >> 17); }
long jrand48(unsigned short x[3]) { return (int32_t)(uint32_t)(advance(x) >> 16); }
double drand48(void) { return erand48(lcg.x); }
long lrand48(void) { return nrand48(lcg.x); }
long mrand48(void) { return jrand48(lcg.x); }

static void reset_lcg(void) {
    lcg.multiplier = default_multiplier;
    lcg.increment = default_increment;
}

void srand48(long seed) {
    reset_lcg();
    lcg.x[0] = 0x330e;
    lcg.x[1] = (unsigned short)((unsigned long)seed & 0xffff);
    lcg.x[2] = (unsigned short)((unsigned long)seed >> 16 & 0xffff);
}

unsigned short *seed48(unsigned short x[3]) {
    reset_lcg();
    for (int i = 0; i < 3; i++) {
        lcg.old[i] = lcg.x[i];
        lcg.x[i] = x[i];
    }
    return lcg.old;
}

void lcong48(unsigned short parameters[7]) {
    for (int i = 0; i < 3; i++) lcg.x[i] = parameters[i];
    lcg.multiplier = (uint64_t)parameters[5] << 32 | (uint64_t)parameters[4] << 16 | parameters[3];
    lcg.increment = parameters[6];
}
