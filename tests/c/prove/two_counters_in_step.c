// Two counters that move in the same steps stay equal, even when they wrap around.
// function: advance
// expect: covered 3 infeasible 1 unknown 0
// expect: infeasible 14:13 true
int advance(unsigned n);
int advance(unsigned n)
{
    unsigned x = 3;
    unsigned y = 3;
    while (n > 0) {
        n--;
        x += 2;
        y += 2;
        if (x != y)
            return -1;
    }
    return x > 100;
}
