// Each member of a union is what the code takes it for.
// function: measure
// expect: covered 13 infeasible 0 unknown 0
struct reading {
    enum { COUNT, RATIO, PAIR, NAME } kind;
    union {
        int count;
        float ratio;
        struct {
            short low, high;
        } pair;
        char name[8];
    } value;
};

int measure(const struct reading *reading);
int measure(const struct reading *reading)
{
    switch (reading->kind) {
    case COUNT:
        return reading->value.count == 77 ? 1 : 2;
    case RATIO:
        return reading->value.ratio == 0.25f ? 3 : 4;
    case PAIR:
        return reading->value.pair.low > reading->value.pair.high ? 5 : 6;
    case NAME:
        return reading->value.name[1] == 'x' ? 7 : 8;
    default:
        return 0;
    }
}
