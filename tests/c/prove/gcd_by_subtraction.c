// The greatest common divisor of two positive numbers by subtraction: both stay positive.
// function: divisor
// options: --assume a>0 --assume b>0
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 15:9 true
int divisor(int a, int b);
int divisor(int a, int b)
{
    while (a != b) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
    if (a <= 0)
        return -1;
    return a;
}
