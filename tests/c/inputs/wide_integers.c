// Integers of 128 bits.
// function: splits
// expect: covered 6 infeasible 0 unknown 0
// on i386 arm: refused: __int128 is not supported on this target
struct range {
    unsigned __int128 low;
    __int128 high;
};

int splits(__int128 value, const struct range *range);
int splits(__int128 value, const struct range *range)
{
    if (value == ((__int128)1 << 100) + 7)
        return 1;
    if (range && range->high < -((__int128)1 << 90))
        return range->low > 5;
    return 0;
}
