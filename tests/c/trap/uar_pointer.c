// expect: trap use-after-return 14
// native: address
// A function returns the address of its local.
static int *local(void)
{
    int x = 42;
    int *p = &x;
    return p;
}

int main(void)
{
    int *p = local();
    return *p;
}
