// expect: trap write-to-constant 8
// native: address
// A const global is written after a cast.
static const int limits[3] = {1, 2, 3};

static void set(int *p, int v)
{
    *p = v;
}

int main(void)
{
    set((int *)&limits[1], 5);
    return limits[1];
}
