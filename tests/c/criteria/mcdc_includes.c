// MC/DC as standards mean it: decisions, of which two have a single condition, and statements are a part of it. One decision
// is never true, so a statement is never run.
// function: level_of
// options: -c mcdc
// expect: mcdc covered 2 infeasible 0 unknown 0
// expect: decision covered 5 infeasible 1 unknown 0
// expect: statement covered 7 infeasible 1 unknown 0
int level_of(unsigned char value, int raised)
{
    int level = 0;
    if (value > 200)
        level = 2;
    if (level == 1)
        level = 9;
    if (value < 10 && raised)
        level = 1;
    return level;
}
