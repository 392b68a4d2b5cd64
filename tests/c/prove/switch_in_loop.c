// The depth of brackets in a text of n characters never gets below zero, nor above the place in the text.
// function: brackets
// expect: covered 9 infeasible 2 unknown 0
// expect: infeasible 13:13 true
// expect: infeasible 13:26 true
int character(void);

int brackets(int n);
int brackets(int n)
{
    int depth = 0;
    for (int i = 0; i < n; i++) {
        if (depth < 0 || depth > i)
            return -2;
        switch (character()) {
        case '(':
            depth++;
            break;
        case ')':
            if (depth == 0)
                return -1;
            depth--;
            break;
        default:
            break;
        }
    }
    return depth;
}
