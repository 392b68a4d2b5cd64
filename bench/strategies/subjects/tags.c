// Reads one `name="value"` of a server-side directive: blanks, the name in any case, the value in quotes of either kind
// with backslashes, or the end of the directive. The name is never empty where that is checked again.
// name: tags
// function: next_tag
// options: --pointers valid --array-len 6
// expect: covered 72 infeasible 2 unknown 0
// name: tags-nu
// function: next_tag
// options: --pointers valid --array-len 6 -D ALL_REACHABLE
// expect: covered 70 infeasible 0 unknown 0
#define MOST 5

enum result { BAD = -1, FINISHED, TAG, TAG_WITHOUT_VALUE, KNOWN_TAG };

static int is_blank(char c)
{
    return c == ' ';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

enum result next_tag(const char *text);
enum result next_tag(const char *text)
{
    char name[MOST + 1];
    int at = 0, length = 0, value = 0;
    while (at < MOST && is_blank(text[at]))
        at++;
    if (at >= MOST || text[at] == 0)
        return BAD;
    if (text[at] == '-' && at + 2 < MOST && text[at + 1] == '-' && text[at + 2] == '>')
        return FINISHED;
    while (at < MOST && text[at] != '=' && text[at] != 0 && !is_blank(text[at]))
        name[length++] = lower(text[at++]);
    if (length == 0)
        return BAD;
    name[length] = 0;
    while (at < MOST && is_blank(text[at]))
        at++;
    if (at >= MOST || text[at] != '=')
        return TAG_WITHOUT_VALUE;
#ifndef ALL_REACHABLE
    if (name[0] == 0 || name[0] == '=')
        return BAD;
#endif
    at++;
    while (at < MOST && is_blank(text[at]))
        at++;
    if (at >= MOST || (text[at] != '"' && text[at] != '\''))
        return BAD;
    char quote = text[at++];
    for (; at < MOST && text[at] != 0 && text[at] != quote; at++) {
        if (text[at] == '\\' && at + 1 < MOST && text[at + 1] == quote)
            at++;
        value++;
    }
    if (at >= MOST || text[at] != quote)
        return BAD;
    if (length == 1 && name[0] == 'v' && value > 0)
        return KNOWN_TAG;
    return TAG;
}
