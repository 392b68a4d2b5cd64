// An error behind a lock of four numbers.
// property: call reach_error
// reached
#ifdef GOALS
void goal(int number);
#else
#define goal(number)
#endif
extern void abort(void);

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { goal(1); abort(); }

int main(void)
{
    int key = 0;
    for (int i = 0; i < 4; i++) {
        int digit = __VERIFIER_nondet_int();
        if (digit < 0 || digit > 9) {
            return 1;
        }
        key = 10 * key + digit;
    }
    if (key * key == 1522756) {
        reach_error();
    }
    return 0;
}
