// Half of a byte as a digit: what a mutant would shift by has no meaning, what the code does has one.
// function: high_digit
// expect: covered 2 infeasible 0 unknown 0

char high_digit(int byte)
{
    int digit = (byte & 0xff) >> 4;
    return (char)(digit < 10 ? '0' + digit : 'A' - 10 + digit);
}
