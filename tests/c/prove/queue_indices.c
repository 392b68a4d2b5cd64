// The two ends of a queue in a ring of eight and the number of its items always agree.
// function: work
// expect: covered 12 infeasible 2 unknown 0
// expect: infeasible 27:13 true
// expect: infeasible 29:13 true
int next(void);

static int items[8];

int work(void);
int work(void)
{
    unsigned head = 0;
    unsigned tail = 0;
    unsigned used = 0;
    int v;
    while ((v = next()) != 0) {
        if (v > 0 && used < 8) {
            items[tail] = v;
            tail = (tail + 1) % 8;
            used++;
        } else if (v < 0 && used > 0) {
            items[head] = 0;
            head = (head + 1) % 8;
            used--;
        }
        if ((head + used) % 8 != tail)
            return -1;
        if (used > 8)
            return -2;
    }
    return used == 2;
}
