/* What LLVM's runtime does for a program that counts, for machines that there is no such runtime for here. `suite/c/server.h` asks
 * for it by the runtime's names.
 *
 * A profile is its head, then as they lie in memory: the records of the functions, counters, bits, names. llvm-profdata reads it by the
 * head, for machines with other words and another byte order too. */
#include <stdint.h>
#include <stddef.h>

#define BOUND extern char
#define HIDDEN __attribute__((weak, visibility("hidden")))

/* The linker knows where sections begin and end; one that is not there has no bounds. */
HIDDEN BOUND __start___llvm_prf_data[], __stop___llvm_prf_data[];
HIDDEN BOUND __start___llvm_prf_cnts[], __stop___llvm_prf_cnts[];
HIDDEN BOUND __start___llvm_prf_bits[], __stop___llvm_prf_bits[];
HIDDEN BOUND __start___llvm_prf_names[], __stop___llvm_prf_names[];

enum { WORDS = 16, VERSION = 10, LAST_KIND_OF_VALUES = 2 };

/* Bytes of a record: clang 19's, with the widths of this machine. */
enum { RECORD = sizeof(void *) == 8 ? 64 : 48 };

struct part {
    const void *data;
    size_t size, count;
    int zeros;
};

struct writer {
    uint32_t (*write)(struct writer *writer, struct part *parts, uint32_t count);
    void *to;
};

static size_t filled(size_t size)
{
    return (8 - size % 8) % 8;
}

static size_t data_size(void)
{
    return (size_t)(__stop___llvm_prf_data - __start___llvm_prf_data);
}

static size_t counters_size(void)
{
    return (size_t)(__stop___llvm_prf_cnts - __start___llvm_prf_cnts);
}

static size_t bits_size(void)
{
    return (size_t)(__stop___llvm_prf_bits - __start___llvm_prf_bits);
}

static size_t names_size(void)
{
    return (size_t)(__stop___llvm_prf_names - __start___llvm_prf_names);
}

char *__llvm_profile_begin_counters(void)
{
    return __start___llvm_prf_cnts;
}

char *__llvm_profile_end_counters(void)
{
    return __stop___llvm_prf_cnts;
}

char *__llvm_profile_begin_bitmap(void)
{
    return __start___llvm_prf_bits;
}

char *__llvm_profile_end_bitmap(void)
{
    return __stop___llvm_prf_bits;
}

uint64_t __llvm_profile_get_size_for_buffer(void)
{
    return WORDS * 8 + data_size() + filled(data_size()) + counters_size() + bits_size() + filled(bits_size()) + names_size()
        + filled(names_size());
}

/* `values` and `skip_names` are of use to the runtime alone. */
int lprofWriteData(struct writer *writer, void *values, int skip_names)
{
    uint64_t head[WORDS] = { 0 };
    struct part parts[] = {
        { head, 8, WORDS, 0 },
        { __start___llvm_prf_data, 1, data_size(), 0 },
        { NULL, 1, filled(data_size()), 1 },
        { __start___llvm_prf_cnts, 1, counters_size(), 0 },
        { __start___llvm_prf_bits, 1, bits_size(), 0 },
        { NULL, 1, filled(bits_size()), 1 },
        { __start___llvm_prf_names, 1, names_size(), 0 },
        { NULL, 1, filled(names_size()), 1 },
    };
    (void)values;
    (void)skip_names;
    if (data_size() == 0)
        return 1;
    /* "lprof", with a small R where words have 32 bits. */
    head[0] = 0xff6c70726f660081 | (uint64_t)(sizeof(void *) == 8 ? 'r' : 'R') << 8;
    head[1] = VERSION;
    head[3] = data_size() / RECORD;
    head[4] = filled(data_size());
    head[5] = counters_size() / 8;
    head[7] = bits_size();
    head[8] = filled(bits_size());
    head[9] = names_size();
    /* Records say how far their counters are from them; readers count from the first, with words of this machine. */
    head[10] = (uintptr_t)__start___llvm_prf_cnts - (uintptr_t)__start___llvm_prf_data;
    head[11] = (uintptr_t)__start___llvm_prf_bits - (uintptr_t)__start___llvm_prf_data;
    head[12] = (uintptr_t)__start___llvm_prf_names;
    head[15] = LAST_KIND_OF_VALUES;
    return (int)writer->write(writer, parts, sizeof parts / sizeof *parts);
}
