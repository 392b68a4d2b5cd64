// What a short text is: a number in one of two notations, a name, a time of day, or nothing of these.
// function: classify
enum what { NOTHING = 0, NUMBER = 1, HEX = 2, NAME = 3, TIME = 4, SIGNED = 5 };

#define DIGIT(c) ((c) >= '0' && (c) <= '9')

struct text {
    char s[6];
    unsigned char length;
};

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static int is_time(const struct text *t)
{
    if (t->length != 5 || t->s[2] != ':')
        return 0;
    if (t->s[0] < '0' || t->s[0] > '2' || t->s[1] < '0' || t->s[1] > '9')
        return 0;
    if (t->s[0] == '2' && t->s[1] > '3')
        return 0;
    return t->s[3] >= '0' && t->s[3] < '6' && t->s[4] >= '0' && t->s[4] <= '9';
}

static int is_name(const struct text *t)
{
    if (!is_letter(t->s[0]))
        return 0;
    for (int i = 1; i < t->length; i++) {
        int letter = is_letter(t->s[i]);
        if (!letter && (t->s[i] < '0' || t->s[i] > '9'))
            return 0;
    }
    return 1;
}

int classify(struct text t)
{
    if (t.length == 0 || t.length > 6)
        return NOTHING;
    if (is_time(&t))
        return TIME;
    if (t.length > 2 && t.s[0] == '0' && t.s[1] == 'x') {
        for (int i = 2; i < t.length; i++)
            if (!is_hex(t.s[i]))
                return NOTHING;
        return HEX;
    }
    if (is_name(&t))
        return NAME;
    int first = t.s[0] == '-' || t.s[0] == '+';
    if (first && t.length == 1)
        return NOTHING;
    for (int i = first; i < t.length; i++)
        if (!DIGIT(t.s[i]))
            return NOTHING;
    return first ? SIGNED : NUMBER;
}
