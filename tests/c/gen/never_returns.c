// Functions that nothing defines and that are declared not to return: a run ends there, which is no error of the code.
// function: checked_sum
// expect: covered 8 infeasible 0 unknown 0
#include <stddef.h>

struct part {
    int amount;
    struct part *next;
};

_Noreturn void give_up(const char *why, int code);
void panic(int code) __attribute__((noreturn));

static int amount_of(const struct part *part)
{
    if (part->amount < 0) {
        give_up("negative", part->amount);
    }
    return part->amount;
}

int checked_sum(const struct part *parts, int most)
{
    int sum = 0;

    for (; parts != NULL; parts = parts->next) {
        if (sum > most - 1000) {
            panic(2);
        }
        if (amount_of(parts) > 1000) {
            return -1;
        }
        sum += amount_of(parts);
    }
    return sum;
}
