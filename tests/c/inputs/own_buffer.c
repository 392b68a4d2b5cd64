// A pointer into an array of the struct that holds it.
// function: next_byte
// expect: covered 12 infeasible 0 unknown 0
struct source {
    char name[12];
    int line;
    char bytes[10];
    char *pos;
};

int next_byte(struct source *s);
int next_byte(struct source *s)
{
    if (!s || !s->pos)
        return -1;
    if (s->pos >= s->bytes + sizeof s->bytes)
        return 0;
    if (s->pos > s->bytes && s->pos[-1] == '\\')
        return 1;
    if (*s->pos == '\n')
        s->line = (s->line + 1) & 7;
    s->pos++;
    return 2;
}
