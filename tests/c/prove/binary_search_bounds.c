// The middle of a binary search lies between its bounds, which meet at the end. Any predicate may steer it.
// function: search
// expect: covered 7 infeasible 3 unknown 0
// expect: infeasible 16:13 true
// expect: infeasible 16:29 true
// expect: infeasible 23:9 true
int above(unsigned at);

int search(unsigned n);
int search(unsigned n)
{
    unsigned low = 0;
    unsigned high = n;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (middle < low || middle >= n)
            return -1;
        if (above(middle))
            high = middle;
        else
            low = middle + 1;
    }
    if (low != high)
        return -2;
    return low == n;
}
