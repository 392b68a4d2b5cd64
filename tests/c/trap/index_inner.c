// expect: trap array-index 10
// check: array-bounds
// native: undefined
// An inner index leaves its row but not the whole array.
static int grid[3][4];

int main(void)
{
    int col = 5;
    return grid[1][col];
}
