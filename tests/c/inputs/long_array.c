// A place far behind the elements that the search begins with.
// function: far
// expect: covered 6 infeasible 0 unknown 0
int far(const short *table, unsigned n);
int far(const short *table, unsigned n)
{
    if (!table || n < 100)
        return -1;
    return table[99] == 7 ? 1 : 0;
}
