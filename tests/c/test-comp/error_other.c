// Another function than the usual one is the error, and a failed assertion is none.
// property: call emergency
// reached
#ifdef GOALS
void goal(int number);
#else
#define goal(number)
#endif
extern void abort(void);

#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void emergency(int level) { goal(1); if (level > 0) abort(); }

int main(void)
{
    int level = __VERIFIER_nondet_int();
    assert(level != 3);
    if (level == 4242) {
        emergency(level);
    }
    return 0;
}
