// The bytes of a number.
// property: branches
// missed: 0
extern unsigned __VERIFIER_nondet_uint(void);

union word {
    unsigned all;
    unsigned char part[4];
};

int main(void)
{
    union word word;
    word.all = __VERIFIER_nondet_uint();
    if (word.part[0] == 0x7f && word.part[3] == 'E')
        return 1;
    if ((word.all & 0xffff) == 0x1234)
        return 2;
    return 0;
}
