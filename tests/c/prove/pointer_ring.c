// A pointer that goes round an array never leaves it, however many items it writes.
// function: record
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 15:13 true
int next(void);

static int ring[8];

int record(void);
int record(void)
{
    int *p = ring;
    int item;
    while ((item = next()) != 0) {
        if (p >= ring + 8)
            return -1;
        *p = item;
        p++;
        if (p == ring + 8)
            p = ring;
    }
    return ring[0] == 5;
}
