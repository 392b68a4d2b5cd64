// Three numbers change places; their sum stays.
// function: shuffle
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 23:9 true
int next(void);

int shuffle(unsigned a, unsigned b, unsigned c);
int shuffle(unsigned a, unsigned b, unsigned c)
{
    unsigned sum = a + b + c;
    int v;
    while ((v = next()) != 0) {
        unsigned old = a;
        if (v > 0) {
            a = b;
            b = c;
            c = old;
        } else {
            a = b;
            b = old;
        }
    }
    if (a + b + c != sum)
        return -1;
    return a < b;
}
