// Its address is taken, so that anybody may call it: it is given anything.
// function: half
// options: --context callers
// expect: covered 2 infeasible 0 unknown 0
static int half(int number)
{
    return number > 1000 ? 0 : number / 2;
}

typedef int (*change)(int);
change chosen(void);
change chosen(void)
{
    return half;
}

int halved(unsigned char number);
int halved(unsigned char number)
{
    return half(number);
}
