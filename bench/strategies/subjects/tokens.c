// The next token of a line: numbers, names and keywords, strings, characters, comments, and marks of one or two signs.
// function: next_token
// options: --pointers valid --globals initial
// expect: covered 88 infeasible 0 unknown 0
#define LENGTH 5

enum token { ERROR = -1, NOTHING, NUMBER, NAME, KEYWORD, STRING, CHARACTER, MARK, DOUBLE_MARK, COMMENT };

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_word(const char *text, int from, int to, const char *word)
{
    int i = 0;
    while (from + i < to && word[i] != 0 && text[from + i] == word[i])
        i++;
    return from + i == to && word[i] == 0;
}

static enum token name_or_keyword(const char *text, int from)
{
    static const char *const keywords[] = {"if", "and", "xor"};
    int to = from;
    while (to < LENGTH && (is_letter(text[to]) || is_digit(text[to])))
        to++;
    for (int i = 0; i < 3; i++) {
        if (is_word(text, from, to, keywords[i]))
            return KEYWORD;
    }
    return NAME;
}

static enum token number(const char *text, int from)
{
    int to = from;
    while (to < LENGTH && is_digit(text[to]))
        to++;
    if (to < LENGTH && is_letter(text[to]))
        return ERROR;
    return NUMBER;
}

static enum token quoted(const char *text, int from, char quote)
{
    int length = 0;
    for (int i = from + 1; i < LENGTH && text[i] != 0; i++) {
        if (text[i] == quote) {
            if (quote == '\'')
                return length == 1 ? CHARACTER : ERROR;
            return STRING;
        }
        if (text[i] == '\\') {
            i++;
            if (i >= LENGTH || text[i] == 0)
                return ERROR;
        }
        length++;
    }
    return ERROR;
}

enum token next_token(const char text[LENGTH]);
enum token next_token(const char text[LENGTH])
{
    int at = 0;
    while (at < LENGTH && (text[at] == ' ' || text[at] == '\t'))
        at++;
    if (at == LENGTH || text[at] == 0)
        return NOTHING;
    char c = text[at];
    if (is_letter(c))
        return name_or_keyword(text, at);
    if (is_digit(c))
        return number(text, at);
    switch (c) {
    case '"':
    case '\'':
        return quoted(text, at, c);
    case ';':
        return COMMENT;
    case '(':
    case ')':
    case '[':
    case ']':
    case ',':
        return MARK;
    case '=':
    case '<':
    case '>':
        return at + 1 < LENGTH && text[at + 1] == '=' ? DOUBLE_MARK : MARK;
    default:
        return ERROR;
    }
}
