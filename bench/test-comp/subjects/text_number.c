// A number as text, with its sign.
// property: branches
// missed: 0
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    int sign = 1, value = 0, digits = 0;
    char c = __VERIFIER_nondet_char();
    if (c == '-') {
        sign = -1;
        c = __VERIFIER_nondet_char();
    }
    while (c >= '0' && c <= '9' && digits < 4) {
        value = 10 * value + c - '0';
        digits++;
        c = __VERIFIER_nondet_char();
    }
    if (digits == 0)
        return 1;
    if (sign * value == -42)
        return 2;
    return 0;
}
