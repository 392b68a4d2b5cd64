// A digit and the carry that it never has: a mutant that shifts by one more shows nowhere, and what another one would shift by has
// no meaning, while what the code does has one.
// function: high_digit
// expect: covered 2 infeasible 0 unknown 0

int high_digit(int byte)
{
    int carry = (byte & 15) >> 4;
    if (byte > 15)
        return 16 + carry;
    return carry;
}
