// What processors count in one instruction: zeros above the highest bit and below the lowest, bits that are set, all in turned order.
// function: classify
// expect: covered 19 infeasible 5 unknown 0
// expect: infeasible 16:9 true
// expect: infeasible 18:9 true
// expect: infeasible 20:24 true
// expect: infeasible 22:36 true
// expect: infeasible 24:34 true
unsigned classify(unsigned word, unsigned long long wide);
unsigned classify(unsigned word, unsigned long long wide)
{
    unsigned above, below, set;
    if (word == 0)
        return 0;
    above = (unsigned)__builtin_clz(word), below = (unsigned)__builtin_ctz(word), set = (unsigned)__builtin_popcount(word);
    if (above > 31)
        return 1;
    if (above + below + set > 32)
        return 2;
    if (above == 20 && word >= 4096)
        return 3;
    if (below == 5 && set == 27 && above != 0)
        return 4;
    if ((word & 0xff) == 0x50 && __builtin_bitreverse32(word) >> 24 != 0x0a)
        return 5;
    if (wide != 0 && __builtin_clzll(wide) == 40)
        return 6;
    return 7;
}
