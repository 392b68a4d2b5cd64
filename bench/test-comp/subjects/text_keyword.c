// A word that is read letter by letter.
// property: branches
// missed: 0
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    static const char WORD[] = "open";
    int at = 0;
    while (at < 4) {
        char c = __VERIFIER_nondet_char();
        if (c != WORD[at])
            return 1;
        at++;
    }
    if (__VERIFIER_nondet_char() == '!')
        return 2;
    return 0;
}
