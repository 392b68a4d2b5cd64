// An integer says how many elements an array has: to go beyond is a contract of the caller, no defect.
// function: sum_of
// expect: covered 12 infeasible 0 unknown 0
// expect: contract 18:16 at least count elements
// expect: contract 20:16 at least (*more).size elements
#include <stddef.h>

struct numbers {
    int *data;
    unsigned size;
};

long sum_of(const int *first, size_t count, const struct numbers *more);
long sum_of(const int *first, size_t count, const struct numbers *more)
{
    long sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += first[i];
    for (unsigned i = 0; i < more->size; i++)
        sum += more->data[i];
    if (sum == 1000)
        return 0;
    if (count > 17 || more->size > 18)
        return 1;
    return sum < 0 ? -sum : sum;
}
