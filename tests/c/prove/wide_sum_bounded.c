// Money in cents: single payments are limited, their number too, so the sum fits.
// function: cash
// options: --assume n<=10000
// expect: covered 8 infeasible 2 unknown 0
// expect: infeasible 18:13 true
// expect: infeasible 18:24 true
int payment(void);

int cash(int n);
int cash(int n)
{
    int sum = 0;
    int paid = 0;
    while (paid < n) {
        int p = payment();
        if (p < 0 || p > 100000)
            continue;
        if (sum < 0 || sum > 100000 * paid)
            return -1;
        sum += p;
        paid++;
    }
    return sum == 250000;
}
