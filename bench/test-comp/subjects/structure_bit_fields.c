// Fields of a few bits.
// property: branches
// missed: 0
extern unsigned __VERIFIER_nondet_uint(void);

struct header {
    unsigned version : 3, flags : 5, length : 8;
};

int main(void)
{
    struct header header;
    unsigned raw = __VERIFIER_nondet_uint();
    header.version = raw & 7;
    header.flags = raw >> 3 & 31;
    header.length = raw >> 8 & 255;
    if (header.version == 5 && header.flags == 17)
        return 1;
    if (header.length == 200)
        return 2;
    return 0;
}
