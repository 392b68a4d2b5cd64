// An array of a size that the code chose, for a text: that one fills it and has no end is nothing that callers do.
// function: longer
// options: -c branch,runtime-error
// expect: covered 4 infeasible 0 unknown 0
// expect: contract 12:12 the text in name ends
static char name[4];

int longer(int than);
int longer(int than)
{
    int length = 0;
    while (name[length])
        length++;
    return length > than ? 1 : 0;
}
