// The labels of a switch on a constant are passed over where the code before it ends: a run that ends at a run-time error
// before has not passed them over, though every run that comes back does.
// function: choose
// expect: covered 8 infeasible 2 unknown 0
// expect: infeasible 29:5 true
// expect: infeasible 32:5 true
// expect: defect division-by-zero 13:18
int share(int total, int parts);
int choose(int total, int parts, int way);

int share(int total, int parts)
{
    return total / parts;
}

int choose(int total, int parts, int way)
{
    int each = 0;
    switch (way) {
    case 1:
        each = share(total, parts);
        break;
    case 2:
        each = 7;
        break;
    }
    switch (-101) {
    default:
    case 2:
        way = each;
        break;
    case -3:
        break;
    }
    switch (way & 1) {
    case 0:
        return 2;
    default:
        return 3;
    }
}
