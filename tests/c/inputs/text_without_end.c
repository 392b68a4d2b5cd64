// Bytes that the code walks to their zero: that there is one is a contract.
// function: checksum
// options: -c branch,runtime-error
// expect: covered 6 infeasible 0 unknown 0
// expect: contract 11:12 the text that bytes points to ends
unsigned checksum(const unsigned char *bytes);
unsigned checksum(const unsigned char *bytes)
{
    unsigned sum = 0;
    // Nobody says how many there are.
    while (*bytes != 0) {
        sum += *bytes;
        if (*bytes++ == 'x')
            sum *= 3;
    }
    return sum > 1000 ? 1 : 0;
}
