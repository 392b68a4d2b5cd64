// Intrinsics of x86 on lanes, for many values; on other machines the same program prints nothing of them.
#include <stdio.h>

#if defined __x86_64__ || defined __i386__
#include <smmintrin.h>

#define WITH __attribute__((target("sse4.1")))

static unsigned long long state = 88172645463325252ULL;

static unsigned long long next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

WITH static __m128i any(int round)
{
    unsigned long long low = next(), high = next();
    if (round % 3 == 1) {
        low &= 0x80ff7f0001ff8000ULL;
        high |= 0x7fffffff80000000ULL;
    }
    return _mm_set_epi64x((long long)high, (long long)low);
}

WITH static void show(const char *name, __m128i v)
{
    unsigned long long parts[2];
    _mm_storeu_si128((__m128i *)parts, v);
    printf("%s %016llx %016llx\n", name, parts[1], parts[0]);
}

WITH static void integers(__m128i a, __m128i b)
{
    printf("movemask %x %x %x\n", _mm_movemask_epi8(a), _mm_movemask_ps(_mm_castsi128_ps(a)), _mm_movemask_pd(_mm_castsi128_pd(b)));
    show("sad", _mm_sad_epu8(a, b));
    show("madd", _mm_madd_epi16(a, b));
    show("maddubs", _mm_maddubs_epi16(a, b));
    show("packs16", _mm_packs_epi16(a, b));
    show("packs32", _mm_packs_epi32(a, b));
    show("packus16", _mm_packus_epi16(a, b));
    show("packus32", _mm_packus_epi32(a, b));
    show("avg8", _mm_avg_epu8(a, b));
    show("avg16", _mm_avg_epu16(a, b));
    show("mulhi", _mm_mulhi_epi16(a, b));
    show("mulhiu", _mm_mulhi_epu16(a, b));
    show("mulhrs", _mm_mulhrs_epi16(a, b));
    show("hadd16", _mm_hadd_epi16(a, b));
    show("hadd32", _mm_hadd_epi32(a, b));
    show("hsub16", _mm_hsub_epi16(a, b));
    show("hsub32", _mm_hsub_epi32(a, b));
    show("shuffle", _mm_shuffle_epi8(a, b));
    show("blendv", _mm_blendv_epi8(a, b, _mm_xor_si128(a, b)));
    show("adds", _mm_adds_epi16(a, b));
    show("subs", _mm_subs_epu8(a, b));
    show("minu", _mm_min_epu8(a, b));
    show("sign", _mm_cmpgt_epi8(a, b));
    printf("test %d %d %d\n", _mm_testz_si128(a, b), _mm_testc_si128(a, b), _mm_testc_si128(a, _mm_and_si128(a, b)));
}

WITH static void shifts(__m128i a, int amount)
{
    __m128i by = _mm_cvtsi32_si128(amount);
    show("slli16", _mm_slli_epi16(a, amount));
    show("slli32", _mm_slli_epi32(a, amount));
    show("slli64", _mm_slli_epi64(a, amount));
    show("srli16", _mm_srli_epi16(a, amount));
    show("srli32", _mm_srli_epi32(a, amount));
    show("srli64", _mm_srli_epi64(a, amount));
    show("srai16", _mm_srai_epi16(a, amount));
    show("srai32", _mm_srai_epi32(a, amount));
    show("sll", _mm_sll_epi16(a, by));
    show("srl", _mm_srl_epi32(a, by));
    show("sra", _mm_sra_epi16(a, by));
    show("far", _mm_srl_epi16(a, _mm_set_epi64x(0, 1LL << 40)));
    show("bytes", _mm_srli_si128(_mm_slli_si128(a, 3), 5));
}

WITH static void compared(float x, float y)
{
    __m128 a = _mm_setr_ps(x, y, 1, -2), b = _mm_setr_ps(y, x, 3, -4);
    printf("comi %d%d%d%d%d%d", _mm_comieq_ss(a, b), _mm_comilt_ss(a, b), _mm_comile_ss(a, b), _mm_comigt_ss(a, b), _mm_comige_ss(a, b), _mm_comineq_ss(a, b));
    printf(" ucomi %d%d%d%d%d%d\n", _mm_ucomieq_ss(a, b), _mm_ucomilt_ss(a, b), _mm_ucomile_ss(a, b), _mm_ucomigt_ss(a, b), _mm_ucomige_ss(a, b), _mm_ucomineq_ss(a, b));
    show("min", _mm_castps_si128(_mm_min_ps(a, b)));
    show("max", _mm_castps_si128(_mm_max_ps(a, b)));
    show("min one", _mm_castps_si128(_mm_min_ss(a, b)));
    show("max one", _mm_castps_si128(_mm_max_ss(a, b)));
    show("cmp one", _mm_castps_si128(_mm_cmplt_ss(a, b)));
    show("unordered one", _mm_castps_si128(_mm_cmpunord_ss(a, b)));
    show("all", _mm_castps_si128(_mm_cmpneq_ps(a, b)));
    __m128d c = _mm_setr_pd(x, y), d = _mm_setr_pd(y, 2);
    printf("comi %d%d%d\n", _mm_comieq_sd(c, d), _mm_comilt_sd(c, d), _mm_ucomigt_sd(c, d));
    show("min double", _mm_castpd_si128(_mm_min_sd(c, d)));
    show("max double", _mm_castpd_si128(_mm_max_pd(c, d)));
    show("cmp double", _mm_castpd_si128(_mm_cmple_sd(c, d)));
}

WITH static void all(void)
{
    for (int round = 0; round < 24; round++) {
        __m128i a = any(round), b = any(round + 1);
        integers(a, b);
        shifts(a, round * 3);
    }
    const float values[] = {0.0f, -0.0f, 1.5f, -2.25f, __builtin_inff(), __builtin_nanf("")};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            compared(values[i], values[j]);
}
#else
static void all(void)
{
}
#endif

int main(void)
{
    all();
    puts("done");
    return 0;
}
