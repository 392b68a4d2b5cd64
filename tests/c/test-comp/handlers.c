// Functions that are called by their addresses alone.
// property: branches
// goals: 1 2 3 4
#ifdef GOALS
void goal(int number);
#else
#define goal(number)
#endif
extern void abort(void);

extern unsigned int __VERIFIER_nondet_uint(void);

static int add(int a, int b)
{
    goal(1);
    return a + b;
}

static int subtract(int a, int b)
{
    goal(2);
    return a - b;
}

static int divide(int a, int b)
{
    goal(3);
    if (b == 0) {
        goal(4);
        return 0;
    }
    return a / b;
}

int main(void)
{
    static int (*const table[])(int, int) = {add, subtract, divide};
    unsigned which = __VERIFIER_nondet_uint() % 3;
    int a = (int)(__VERIFIER_nondet_uint() % 50), b = (int)(__VERIFIER_nondet_uint() % 50);
    return table[which](a, b) & 1;
}
