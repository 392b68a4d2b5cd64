// Functions that nobody defines here write through what they are given, and return pointers.
// function: next_token
// expect: covered 18 infeasible 0 unknown 0
struct source;
struct token { int kind; unsigned length; };

char *read_line(char *line, int size, struct source *from);
int scan(const char *text, struct token *token);
struct token *lookup(int kind);

int next_token(struct source *from);
int next_token(struct source *from)
{
    char line[32];
    struct token token = {0, 0};
    char *got = read_line(line, sizeof line, from);
    if (!got)
        return -1;
    if (got == line && line[0] == '#' && line[1] == '!')
        return -2;
    if (scan(got, &token) < 0)
        return -3;
    if (token.kind == 77 && token.length > 3)
        return 1;
    const struct token *known = lookup(token.kind);
    return known && known->length == 9;
}
