// Each kind of number that a task may ask for.
// property: branches
// goals: 1 2 3 4 5 6 7 8
#ifdef GOALS
void goal(int number);
#else
#define goal(number)
#endif
extern void abort(void);

extern char __VERIFIER_nondet_char(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

int main(void)
{
    if (__VERIFIER_nondet_char() == -7) {
        goal(1);
    }
    if (__VERIFIER_nondet_short() == -30000) {
        goal(2);
    }
    if (__VERIFIER_nondet_ushort() == 65000) {
        goal(3);
    }
    if (__VERIFIER_nondet_long() == -9223372036854775807L - 1) {
        goal(4);
    }
    if (__VERIFIER_nondet_ulong() > 18446744073709551600UL) {
        goal(5);
    }
    if (__VERIFIER_nondet_longlong() == 1234567890123LL) {
        goal(6);
    }
    if (__VERIFIER_nondet_ulonglong() % 1000003 == 999) {
        goal(7);
    } else {
        goal(8);
    }
    return 0;
}
