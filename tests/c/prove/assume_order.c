// That low starts at or below high is stated; they meet and never pass each other.
// function: close_in
// options: --assume low<=high
// expect: covered 6 infeasible 2 unknown 0
// expect: infeasible 17:13 true
// expect: infeasible 20:9 true
int next(void);

int close_in(int low, int high);
int close_in(int low, int high)
{
    while (low < high) {
        if (next() > 0)
            low++;
        else
            high--;
        if (low > high)
            return -1;
    }
    if (low != high)
        return -2;
    return low;
}
