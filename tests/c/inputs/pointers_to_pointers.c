// Arrays of pointers, pointers to pointers, and tables of constants that pointers of the code lead to.
// function: find_word
// expect: covered 20 infeasible 0 unknown 0
static const char *const known[] = { "on", "off", 0 };

static int same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

int find_word(char **words, int count, int **out);
int find_word(char **words, int count, int **out)
{
    if (!words || count > 3)
        return -1;
    for (int i = 0; i < count; i++) {
        if (!words[i])
            continue;
        for (int k = 0; known[k]; k++)
            if (same(words[i], known[k])) {
                if (out && *out)
                    **out = k;
                return i;
            }
    }
    return -2;
}
