// Comparisons and rounding of floats: not a number, infinities, halves, and sums that lose their small part.
// function: classify
// expect: covered 28 infeasible 2 unknown 0
// expect: infeasible 24:13 true
// expect: infeasible 26:13 true

int classify(float x, double y);
int classify(float x, double y)
{
    if (x != x)
        return 1;
    if (x > 3.4028234e38f)
        return 2;
    if (x == 0.0f && 1.0f / x < 0.0f)
        return 3;
    if (x > 0.0f && x * 2.0f == x + 0.3f)
        return 4;
    if (x >= -1000.0f && x <= 1000.0f) {
        int down = (int)x;
        float rest = x - (float)down;
        if (rest == 0.5f)
            return 5;
        // A float is a sum of powers of two: it is never a tenth exactly.
        if ((double)x * 10.0 == 1.0)
            return 6;
        if (rest >= 1.0f)
            return 7;
    }
    if (y > 1.0e14 && y + 0.01 == y)
        return 8;
    if (y < 0.25 && y > 0.125)
        return 9;
    return 0;
}
