// Halves an array until there is nothing left.
// property: branches
// missed: 0
extern int __VERIFIER_nondet_int(void);

static const int TABLE[8] = {-9, -4, 0, 3, 8, 21, 34, 90};

static int find(int wanted, int low, int high)
{
    int middle = (low + high) / 2;
    if (low >= high)
        return -1;
    if (TABLE[middle] == wanted)
        return middle;
    if (TABLE[middle] < wanted)
        return find(wanted, middle + 1, high);
    return find(wanted, low, middle);
}

int main(void)
{
    int at = find(__VERIFIER_nondet_int(), 0, 8);
    if (at == 6)
        return 1;
    if (at < 0)
        return 2;
    return 0;
}
