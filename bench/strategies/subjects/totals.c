// A statistic of a small table of counts: sums of rows and columns, how far each cell is from the mean of its row and
// of its column.
// function: totals
// options: --pointers valid
// expect: covered 45 infeasible 0 unknown 0
#define MOST 2

struct summary {
    int total;
    int deviation;
    int empty;
};

static int dimension(char c)
{
    switch (c) {
    case '1':
        return 1;
    case '2':
        return 2;
    default:
        return 0;
    }
}

static int sum_row(const unsigned char *table, int columns, int row)
{
    int sum = 0;
    for (int column = 0; column < columns; column++)
        sum += table[row * columns + column];
    return sum;
}

static int sum_column(const unsigned char *table, int rows, int columns, int column)
{
    int sum = 0;
    for (int row = 0; row < rows; row++)
        sum += table[row * columns + column];
    return sum;
}

static int distance(int cell, int count, int sum)
{
    int difference = cell * count - sum;
    if (difference < 0)
        difference = -difference;
    return difference;
}

static int summarise(const unsigned char *table, int rows, int columns, struct summary *out)
{
    int in_row[MOST], in_column[MOST];
    if (rows <= 1 || columns <= 1)
        return -3;
    out->total = 0;
    for (int row = 0; row < rows; row++) {
        in_row[row] = sum_row(table, columns, row);
        if (in_row[row] > 500)
            return -2;
        out->total += in_row[row];
    }
    if (out->total == 0)
        return -1;
    for (int column = 0; column < columns; column++)
        in_column[column] = sum_column(table, rows, columns, column);
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            int cell = table[row * columns + column];
            if (in_row[row] == 0 || in_column[column] == 0) {
                out->empty++;
                continue;
            }
            if (distance(cell, columns, in_row[row]) > 100 && distance(cell, rows, in_column[column]) > 100)
                out->deviation++;
        }
    }
    return out->deviation > 2 ? 2 : 1;
}

int totals(const char size[2], const unsigned char table[MOST * MOST]);
int totals(const char size[2], const unsigned char table[MOST * MOST])
{
    struct summary summary = {0, 0, 0};
    int result = summarise(table, dimension(size[0]), dimension(size[1]), &summary);
    switch (result) {
    case -3:
        return 0;
    case -2:
    case -1:
        return result;
    default:
        if (summary.empty == 3)
            return 4;
        return summary.total > 400 && result == 2 ? 3 : result;
    }
}
