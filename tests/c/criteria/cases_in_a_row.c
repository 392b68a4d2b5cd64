// Several cases in a row after a statement: clang gives the jumps between them the place of the statement above, which is
// reached only with its own case.
// function: length
// options: -c statement
// expect: statement covered 4 infeasible 0 unknown 0
int length(int month, int leap);
int length(int month, int leap)
{
    switch (month) {
    case 2:
        return leap ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}
