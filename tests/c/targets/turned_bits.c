// The bits of a word in turned order, as headers ask for them (`__RBIT`).
// function: find
// infeasible on x86_64 i386 arm aarch64 riscv32 riscv64 cortex-m: 9:34 true
#define RBIT(word) __builtin_bitreverse32(word)
int find(unsigned word);
int find(unsigned word)
{
    unsigned turned = RBIT(word);
    if ((word & 0xff) == 0x50 && turned >> 24 != 0x0a)
        return 1;
    if (turned == 0x80000001 || RBIT(turned ^ 1) == 0x1234567)
        return 2;
    return 0;
}
