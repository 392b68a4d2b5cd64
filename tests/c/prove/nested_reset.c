// The inner loop starts anew each time and leaves its index at its bound, for every turn of the outer one.
// function: pages
// expect: covered 6 infeasible 2 unknown 0
// expect: infeasible 14:13 true
// expect: infeasible 17:13 true
int pages(unsigned rows, unsigned columns);
int pages(unsigned rows, unsigned columns)
{
    unsigned full = 0;
    for (unsigned r = 0; r < rows; r++) {
        unsigned c = 0;
        while (c < columns)
            c++;
        if (c != columns)
            return -1;
        full++;
        if (full != r + 1)
            return -2;
    }
    return full == 4;
}
