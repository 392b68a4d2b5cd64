// Bytes that the code walks to their zero: that there is one is a contract.
// function: checksum
// options: -c branch,runtime-error --pointers valid
// expect: covered 6 infeasible 0 unknown 0
// expect: contract 11:20 the text that bytes points to ends
unsigned checksum(const unsigned char *bytes);
unsigned checksum(const unsigned char *bytes)
{
    unsigned sum = 0, byte;
    // Nobody says how many there are.
    while ((byte = *bytes) != 0) {
        sum += byte;
        if (byte == 'x')
            sum *= 3;
        bytes++;
    }
    return sum > 1000 ? 1 : 0;
}
