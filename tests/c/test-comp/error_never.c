// An error that no input leads to: a counter that stays even.
// property: call reach_error
// never
#ifdef GOALS
void goal(int number);
#else
#define goal(number)
#endif
extern void abort(void);

extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error() { goal(1); __assert_fail("0", "error_never.c", 3, "reach_error"); }

int main(void)
{
    unsigned counter = 0;
    while (__VERIFIER_nondet_int() != 0) {
        counter += 2;
    }
    if (counter % 2 == 1) {
        reach_error();
    }
    return 0;
}
