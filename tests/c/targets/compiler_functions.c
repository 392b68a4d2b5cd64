// Instructions that a compiler has functions for, as CMSIS asks for them, in a packed frame.
// function: accept
// machines: cortex-m arm
#define CLZ(word) ((unsigned char)__builtin_clz(word))
#define WFI() __builtin_arm_wfi()
#define DMB() __builtin_arm_dmb(0xf)
#define NOP() __builtin_arm_nop()
#define REV(word) __builtin_bswap32(word)
_Pragma("pack(push, 1)")
struct frame {
    unsigned char kind;
    unsigned length;
};
_Pragma("pack(pop)")
static unsigned pending;
__attribute__((weak)) void refused(int code);
__attribute__((weak)) void refused(int code)
{
    (void)code;
}
int accept(const struct frame *frame);
int accept(const struct frame *frame)
{
    unsigned before;
    if (sizeof *frame != 5 || frame->length == 0) {
        refused(1);
        return 0;
    }
    if (CLZ(frame->length) < 8) {
        WFI();
        return 1;
    }
    if (REV(frame->length) == 0x78563400)
        return 2;
    before = __builtin_arm_ldrex(&pending);
    DMB();
    if (before > 7)
        return 3;
    if (__builtin_arm_strex(before + 1, &pending)) {
        __builtin_arm_clrex();
        NOP();
        return 4;
    }
    return __builtin_arm_ssat((int)frame->kind, 8) > 100 ? 5 : 6;
}
