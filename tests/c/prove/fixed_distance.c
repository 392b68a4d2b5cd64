// One index follows another ten behind.
// function: chase
// expect: covered 3 infeasible 1 unknown 0
// expect: infeasible 16:9 true
int next(void);

int chase(unsigned start);
int chase(unsigned start)
{
    unsigned ahead = start + 10;
    unsigned behind = start;
    while (next() != 0) {
        ahead++;
        behind++;
    }
    if (ahead - behind != 10)
        return -1;
    return ahead < behind;
}
