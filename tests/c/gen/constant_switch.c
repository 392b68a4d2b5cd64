// A switch on a constant has no branch of its own: its label is reached where its counter is, and not where the function is
// entered. A run that ends before has not reached it.
// function: classify
// expect: covered 6 infeasible 2 unknown 0
// expect: infeasible 23:5 false
// expect: infeasible 27:5 true
// expect: defect division-by-zero 16:18
// expect: defect division-overflow 16:18
#define MODE 4

int share(int total, int parts);
int classify(int total, int parts);

int share(int total, int parts)
{
    return total / parts;
}

int classify(int total, int parts)
{
    int each = share(total, parts);
    switch (MODE & 1) {
    default:
        if (each > 100)
            return 1;
        break;
    case 1:
        each = 0;
    }
    switch (each % 3) {
    case 0:
        return 2;
    default:
        return 3;
    }
}
