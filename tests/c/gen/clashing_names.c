// Names that the frameworks of tests have, too: members, parameters and functions are called as their macros and functions are.
// function: check
// options: --pointers valid
// expect: covered 10 infeasible 0 unknown 0
struct fail {
    int main;
    unsigned char skip;
    int mock;
};

static int setUp(int memcmp)
{
    return memcmp > 100;
}

int check(struct fail *fail, int main, int result);
int check(struct fail *fail, int main, int result)
{
    if (main < 0)
        return -1;
    if (setUp(main))
        fail->skip++;
    if (fail->main == main)
        fail->mock = result;
    if (fail->skip == 'x' && result > 3)
        return fail->mock;
    return 0;
}
