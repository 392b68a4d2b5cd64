// Results by pointers, and no other.
// function: split
// expect: covered 10 infeasible 0 unknown 0
void split(int x, int *quotient, int *rest, char *sign)
{
    int positive = x < 0 ? -(x + 1) : x;
    if (quotient) {
        *quotient = positive / 10;
    }
    if (rest) {
        *rest = positive % 10;
    }
    if (sign) {
        *sign = x < 0 ? '-' : '+';
    }
}
