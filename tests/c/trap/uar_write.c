// expect: trap use-after-return 14
// native: address
// A callback is kept with a pointer into a dead frame.
static int *saved;

static void keep(void)
{
    int here = 1;
    saved = &here;
}

static void use(void)
{
    *saved = 2;
}

int main(void)
{
    keep();
    use();
    return 0;
}
