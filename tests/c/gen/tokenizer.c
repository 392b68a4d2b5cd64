// Count the tokens of a short text: numbers, words, operators of one or two characters.
// function: tokens
// options: --array-len 5 --pointers valid
// expect: covered 37 infeasible 0 unknown 0

struct counts {
    int numbers;
    int words;
    int operators;
};

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Returns the number of tokens, or -1 at a character that starts none.
int tokens(const char *text);
int tokens(const char *text)
{
    struct counts found = {0, 0, 0};
    const char *p = text;
    while (*p) {
        if (*p == ' ' || *p == '\t') {
            p++;
        } else if (is_digit(*p)) {
            while (is_digit(*p))
                p++;
            found.numbers++;
        } else if (is_letter(*p)) {
            while (is_letter(*p) || is_digit(*p))
                p++;
            found.words++;
        } else {
            switch (*p) {
            case '+':
            case '-':
                p++;
                break;
            case '<':
            case '=':
                p++;
                if (*p == '=')
                    p++;
                break;
            default:
                return -1;
            }
            found.operators++;
        }
    }
    return found.numbers + found.words + found.operators;
}
