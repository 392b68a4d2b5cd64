// A character that runs through an alphabet stays inside it.
// function: spell
// options: --assume last<='z'
// expect: covered 6 infeasible 2 unknown 0
// expect: infeasible 14:13 true
// expect: infeasible 14:24 true
int next(void);

int spell(char last);
int spell(char last)
{
    int vowels = 0;
    for (char c = 'a'; c <= last; c++) {
        if (c < 'a' || c > 'z')
            return -1;
        if (next() == c)
            vowels++;
    }
    return vowels == 5;
}
