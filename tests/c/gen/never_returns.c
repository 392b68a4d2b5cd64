// Functions that nothing defines and that are declared not to return: a run ends there, which is no error of the code.
// function: checked_sum
// expect: covered 6 infeasible 0 unknown 0
#include <stddef.h>

struct part {
    int amount;
    int kind;
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

int checked_sum(const struct part *part, int most)
{
    int sum;

    if (part == NULL) {
        return 0;
    }
    sum = amount_of(part) / 2;
    if (sum > most - 1000) {
        panic(2);
    }
    return sum;
}
