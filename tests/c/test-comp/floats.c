// Floating-point inputs, among them what is no number.
// property: branches
// goals: 1 2 3 4 5
#ifdef GOALS
void goal(int number);
#else
#define goal(number)
#endif
extern void abort(void);

extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    float y = __VERIFIER_nondet_float();
    if (x != x) {
        goal(1);
        return 1;
    }
    if (x > 1e300 && x - 1.0 == x) {
        goal(2);
    } else if (x < 0.0 && x * 2.0 == -0.5) {
        goal(3);
    }
    if (y * y < 0.0f) {
        goal(6);
    }
    if (y + 1.0f == 1.0f && y > 0.0f) {
        goal(4);
    } else {
        goal(5);
    }
    return 0;
}
