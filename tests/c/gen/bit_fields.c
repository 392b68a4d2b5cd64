// Read a header of packed bits.
// function: parse
// options: --pointers valid --array-len 1
// expect: covered 21 infeasible 2 unknown 0
// expect: infeasible 23:9 true
// expect: infeasible 40:5 default

struct header {
    unsigned version : 3;
    unsigned kind : 2;
    signed level : 4;
    unsigned urgent : 1;
    unsigned length : 6;
    unsigned char check;
};

int parse(const struct header *h);
int parse(const struct header *h)
{
    if (h->version != 2 && h->version != 5)
        return -1;
    // At most 63 and 5.
    if (h->length + h->version > 68)
        return -2;
    if (h->length < 4 || h->length % 4 != 0)
        return -3;
    unsigned word = (unsigned)h->version << 13 | (unsigned)h->kind << 11 | ((unsigned)h->level & 15u) << 7 |
                    (unsigned)h->urgent << 6 | h->length;
    if ((((word >> 8) ^ word) & 0xff) != h->check)
        return -4;
    switch (h->kind) {
    case 0:
        return h->urgent ? -5 : 0;
    case 1:
        return h->level < -4 ? 1 : 2;
    case 2:
        return h->level == 7 ? 3 : 4;
    case 3:
        return 5;
    default:
        return -6;
    }
}
