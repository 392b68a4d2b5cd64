// expect: trap out-of-bounds 9
// native: address
// A row index beyond the last row leaves the whole array.
int grid[3][4];

int main(void)
{
    int row = 3;
    return grid[row][0];
}
