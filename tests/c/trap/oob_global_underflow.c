// expect: trap out-of-bounds 8
// A global array is read before its start.
static int ring[8];
static int at;

static int previous(void)
{
    return ring[--at];
}

int main(void)
{
    return previous();
}
