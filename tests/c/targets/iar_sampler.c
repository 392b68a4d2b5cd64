// A sampler as it is written for IAR's compiler: values that survive a reset, code in memory, intrinsics as headers have them.
// function: sample
// machines: project
// command: iccarm FILE --cpu=Cortex-M4 --cpu_mode=thumb --endian=little -e --fpu=None --dlib_config full.h -D LIMIT=100 -Ohz -o out
// infeasible on project: 23:9 true
#define __CLZ(word) ((unsigned char)((word) == 0 ? 32 : __builtin_clz(word)))
#define __REV(word) __builtin_bswap32(word)
#define __WFI() __asm volatile("wfi")
__attribute__((always_inline)) static inline unsigned __get_PRIMASK(void)
{
    unsigned mask;
    __asm volatile("MRS %0, primask" : "=r"(mask));
    return mask;
}
__no_init static unsigned resets;
__no_init static struct { unsigned low, high; } kept;
static __flash const unsigned short scale[2] = { 3, 5 };
__root const unsigned version = 2;
__ramfunc int sample(unsigned raw, __far unsigned char *out);
__ramfunc int sample(unsigned raw, __far unsigned char *out)
{
    unsigned char bits = __CLZ(raw);
    if (bits > 32)
        return -1;
    if (resets == 0x5aa5 && kept.low > kept.high)
        kept.low = kept.high;
    if (__REV(raw) == 0x11223344)
        return scale[raw & 1];
    if (bits < 8 && __get_PRIMASK() == 0)
        __WFI();
    if (out != 0)
        *out = bits;
    return raw > LIMIT;
}
