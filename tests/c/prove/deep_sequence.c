// A lock that opens after seven right symbols in a row. A wrong one starts it anew, and it has no further place.
// function: unlock
// expect: covered 8 infeasible 2 unknown 0
// expect: infeasible 17:13 true
// expect: infeasible 17:26 true
int symbol(void);

int unlock(void);
int unlock(void)
{
    static const char code[7] = {'o', 'p', 'e', 'n', 'n', 'o', 'w'};
    int place = 0;
    for (;;) {
        int s = symbol();
        if (s == 0)
            return 0;
        if (place < 0 || place >= 7)
            return -1;
        if (s == code[place])
            place++;
        else
            place = 0;
        if (place == 7)
            return 1;
    }
}
