// The check digit of a card number: every other digit counts twice, and the sum must be a multiple of ten. Two things
// that can never be are checked.
// name: luhn
// function: luhn
// options: --pointers valid --assume length<=5
// expect: covered 18 infeasible 2 unknown 0
// name: luhn-nu
// function: luhn
// options: --pointers valid --assume length<=5 -D ALL_REACHABLE
// expect: covered 16 infeasible 0 unknown 0

static int twice(int digit)
{
    int doubled = 2 * digit;
    if (doubled > 9)
        doubled -= 9;
    return doubled;
}

int luhn(const char number[5], int length);
int luhn(const char number[5], int length)
{
    int sum = 0, used = 0;
    if (length < 2)
        return -1;
    for (int i = length - 1; i >= 0; i--) {
        char c = number[i];
        if (c == ' ')
            continue;
        if (c < '0' || c > '9')
            return -2;
        int digit = c - '0';
        if (used % 2 == 1)
            digit = twice(digit);
#ifndef ALL_REACHABLE
        if (digit > 9 || digit < 0)
            return -3;
#endif
        sum += digit;
        used++;
    }
    if (used == 0)
        return -4;
    return sum % 10 == 0;
}
