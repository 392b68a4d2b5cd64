// Whole decisions, conditions, statements and functions of one small controller.
// function: level
// options: -c decision,condition,statement,function
// expect: decision covered 7 infeasible 1 unknown 0
// expect: condition covered 9 infeasible 1 unknown 0
// expect: statement covered 10 infeasible 1 unknown 0
// expect: function covered 2 infeasible 0 unknown 0
// expect: infeasible 23:9 true
static int half(int x)
{
    return x / 2;
}

int level(unsigned in, unsigned out)
{
    int mode = 0;
    if (in > 100 || out > 100)
        return -1;
    if (in > out)
        mode = half((int)(in - out));
    else if (in == out)
        mode = 7;
    if (mode > 50)
        mode = 50;
    return mode;
}
