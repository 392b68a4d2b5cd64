// Nested brackets, read as they come.
// property: branches
// missed: 0
extern char __VERIFIER_nondet_char(void);

static int depth, deepest;

static int group(void)
{
    char c = __VERIFIER_nondet_char();
    while (c == '(') {
        depth++;
        if (depth > deepest)
            deepest = depth;
        if (depth > 4)
            return 0;
        if (!group())
            return 0;
        depth--;
        c = __VERIFIER_nondet_char();
    }
    if (c == ')')
        return 1;
    return 0;
}

int main(void)
{
    if (group()) {
        if (deepest == 2)
            return 1;
        return 2;
    }
    return 0;
}
