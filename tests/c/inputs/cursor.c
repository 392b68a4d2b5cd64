// A cursor and its limit, as members of a struct.
// function: next_number
// expect: covered 20 infeasible 0 unknown 0
struct reader {
    const char *data;
    const char *pos;
    const char *end;
};

int next_number(struct reader *r);
int next_number(struct reader *r)
{
    int value = 0, digits = 0;
    if (!r || !r->pos || !r->end)
        return -1;
    if (r->pos > r->data && r->pos[-1] == '-')
        digits = -1;
    while (r->pos < r->end && *r->pos >= '0' && *r->pos <= '9') {
        value = (value * 10 + (*r->pos - '0')) % 1000;
        r->pos++;
        digits++;
    }
    if (r->end - r->pos >= 4)
        return 5000;
    return digits == 3 ? value : 4000;
}
