// A loop that writes one element too far. That its second condition is never false is true only because such a run
// ends with that write: whoever is told the one must be told the other.
// function: fill
// options: --globals initial
// expect: covered 3 infeasible 1 unknown 0
// expect: infeasible 16:26 false
// expect: defect out-of-bounds 17:19
// open: the search ends with the proof, before a run has shown the write
int buffer[8];

int fill(int n);
int fill(int n)
{
    int i;
    /* The bound should be 8. */
    for (i = 0; i < n && i <= 8; i++)
        buffer[i] = i;
    return i;
}
