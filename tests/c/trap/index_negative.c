// expect: trap array-index 15
// check: array-bounds
// native: undefined
// A negative inner index.
struct row {
    int before;
    int v[3];
    int after;
};

int main(void)
{
    struct row r = {7, {1, 2, 3}, 8};
    int i = -1;
    return r.v[i];
}
