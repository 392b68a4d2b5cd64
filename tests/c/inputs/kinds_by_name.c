// A member that the code compares with single values is expected to be an index of the table, as no question keeps it in bounds.
// function: names
// options: -c branch,runtime-error --pointers valid
// expect: covered 6 infeasible 0 unknown 0
// expect: contract 22:21 is an index of the table
enum kind { NONE, DIGIT, LETTER };

struct node {
    unsigned char kind;
    int value;
};

static const char initials[] = { 'n', 'd', 'l' };

int names(const struct node *nodes);
int names(const struct node *nodes)
{
    int letters = 0;
    for (int i = 0; i < 2; i++) {
        if (nodes[i].kind == NONE)
            break;
        letters += (initials[nodes[i].kind] == 'l');
    }
    return letters > 1 ? 1 : 0;
}
