// Recursion as deep as an input says.
// property: branches
// goals: 1 2 3 4
#ifdef GOALS
void goal(int number);
#else
#define goal(number)
#endif
extern void abort(void);

extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned steps(unsigned n, unsigned depth)
{
    if (n <= 1) {
        goal(1);
        return depth;
    }
    if (depth > 12) {
        goal(2);
        return depth;
    }
    return n % 2 == 0 ? steps(n / 2, depth + 1) : steps(3 * n + 1, depth + 1);
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000) {
        goal(3);
        return 0;
    }
    if (steps(n, 0) == 9) {
        goal(4);
    }
    return 0;
}
