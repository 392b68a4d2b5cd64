// Conditions inside of conditions, some behind calls: the last ones need all before them to go one way.
// function: nested
// expect: covered 22 infeasible 0 unknown 0

static int low(int a, int b)
{
    if (a > 10) {
        if (b == a + 3)
            return 1;
        return 2;
    }
    return 0;
}

static int high(int c, int d)
{
    if (c < 0)
        return -1;
    if (c == 7 * d)
        return d > 4 ? 2 : 1;
    return 0;
}

int nested(int a, int b, int c, int d);
int nested(int a, int b, int c, int d)
{
    int sum = 0;
    if (low(a, b) == 1) {
        sum += 1;
        if (high(c, d) == 2) {
            sum += 10;
            if (a + c == 40)
                sum += 100;
        } else if (high(d, c) == 1) {
            sum += 20;
        }
    } else if (low(c, d) == 2) {
        sum += 2;
        if (d < -5)
            sum += 30;
    }
    return sum;
}
