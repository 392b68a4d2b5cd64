// A name that frameworks have a macro of, memory without a type, a union, and what C leaves open.
// function: skip
// expect: covered 8 infeasible 0 unknown 0
#include <stdint.h>
#include <string.h>

enum kind { WORD, REAL, PLACE };

struct value {
    enum kind kind;
    union {
        int32_t word;
        double real;
        const void *place;
    } as;
    uintptr_t number;
    long double wide;
};

struct pair {
    char first;
    int second;
};

struct pair skip(struct value *value, void *memory, unsigned way)
{
    struct pair pair;
    struct pair open;
    memset(&pair, 0, sizeof pair);
    if (!value || !memory) {
        return pair;
    }
    value->number = (uintptr_t)memory;
    switch (way) {
    case 0:
        value->kind = WORD;
        value->as.word = 7;
        memcpy(memory, "word", 4);
        break;
    case 1:
        value->kind = REAL;
        value->as.real = -0.0;
        value->wide = 1.5L;
        break;
    case 2:
        value->kind = PLACE;
        value->as.place = memory;
        memcpy(memory, &value, sizeof value);
        break;
    default:
        open.second = pair.first;
        return open;
    }
    pair.first = 'x';
    pair.second = (int)way;
    return pair;
}
