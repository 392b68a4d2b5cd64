// What processors count in one instruction: zeros above the highest bit and below the lowest, bits that are set.
// function: classify
// expect: covered 16 infeasible 4 unknown 0
// expect: infeasible 15:9 true
// expect: infeasible 17:9 true
// expect: infeasible 19:24 true
// expect: infeasible 21:36 true
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
    if (wide != 0 && __builtin_clzll(wide) == 40)
        return 6;
    return 7;
}
