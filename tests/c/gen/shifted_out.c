// Bits that are shifted out of a word: on one way C gives no meaning to what is stored.
// function: put
// options: --pointers valid
// expect: covered 4 infeasible 0 unknown 0

void put(unsigned char *to, unsigned value, int bits)
{
    if (bits > 40) {
        to[0] = (unsigned char)(value >> bits);
        to[1] = 1;
        return;
    }
    to[0] = bits < 8 ? (unsigned char)value : 0;
}
