// Code that looks at sixteen bytes at once, as libraries do where the machine can.
// function: find16
// expect: covered 6 infeasible 0 unknown 0
#if defined __x86_64__
#include <emmintrin.h>

int find16(const unsigned char *bytes, unsigned char wanted)
{
    __m128i all = _mm_loadu_si128((const __m128i *)bytes);
    int found = _mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8((char)wanted)));
    if (found == 0)
        return -1;
    if (found == 0x8001)
        return 16;
    __m128i sums = _mm_sad_epu8(all, _mm_setzero_si128());
    if (_mm_cvtsi128_si32(sums) > 1000)
        return 17;
    return __builtin_ctz((unsigned)found);
}
#endif
