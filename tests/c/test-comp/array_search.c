// An array of inputs is searched: found at the front, at the back, twice, not at all.
// property: branches
// goals: 1 2 3 4 5
#ifdef GOALS
void goal(int number);
#else
#define goal(number)
#endif
extern void abort(void);

extern int __VERIFIER_nondet_int(void);

static int count(const int *numbers, int wanted)
{
    int found = 0;
    for (int i = 0; i < 4; i++) {
        if (numbers[i] == wanted) {
            found++;
        }
    }
    return found;
}

int main(void)
{
    int numbers[4], found;
    for (int i = 0; i < 4; i++) {
        numbers[i] = __VERIFIER_nondet_int();
    }
    found = count(numbers, __VERIFIER_nondet_int());
    switch (found) {
    case 0:
        goal(1);
        break;
    case 1:
        goal(2);
        break;
    case 2:
    case 3:
        goal(3);
        break;
    default:
        goal(4);
        break;
    }
    if (found > 4) {
        goal(6);
    } else {
        goal(5);
    }
    return 0;
}
