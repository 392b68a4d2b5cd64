// A member that the code compares with single values is expected to be an index of the table, as no question keeps it in bounds.
// function: is_letter
// options: -c branch,runtime-error --pointers valid
// expect: covered 4 infeasible 0 unknown 0
// expect: contract 20:12 is an index of the table
enum kind { NONE, DIGIT, LETTER };

struct node {
    unsigned char kind;
    int value;
};

static const char initials[] = { 'n', 'd', 'l' };

int is_letter(const struct node *node);
int is_letter(const struct node *node)
{
    if (node->kind == NONE)
        return -1;
    return initials[node->kind] == 'l' ? 1 : 0;
}
