// The function printf: integer conversions with all flags, widths, precisions and length modifiers.
// flags: -Wno-format
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

int main(void)
{
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d] [%+05d]\n", 42, 42, 42, 42, 42, 42, 42, 42, 42, 42);
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%.0d] [%.0d]\n", -42, -42, -42, -42, -42, -42, -4, 0, 1);
    printf("[%u] [%o] [%x] [%X] [%#o] [%#x] [%#X] [%#x] [%08x] [%#010x]\n", 255u, 255u, 255u, 255u, 255u, 255u, 255u, 0u,
           255u, 255u);
    printf("[%hhd] [%hhu] [%hd] [%hu]\n", 300, 300, 70000, 70000);
    printf("[%ld] [%lu] [%lld] [%llu] [%lx]\n", LONG_MIN, ULONG_MAX, LLONG_MAX, ULLONG_MAX, -1L);
    printf("[%jd] [%zu] [%td] [%zx]\n", INTMAX_MIN, (size_t)-1, (ptrdiff_t)-9, (size_t)4096);
    printf("[%*d] [%-*d] [%.*d] [%*.*d] [%*d]\n", 6, 1, 6, 2, 3, 3, 7, 4, 5, -4, 9);
    printf("[%i] [%c] [%5c] [%-5c] [%%]\n", -1, 'x', 'y', 'z');
    printf("[%" PRId64 "] [%" PRIu32 "] [%" PRIx8 "] [%" PRId16 "]\n", INT64_C(-5), UINT32_C(7), (uint8_t)200, (int16_t)-3);
    printf("[%p]\n", (void *)0);
    int at = 0, total = 0;
    printf("count%n here\n%n", &at, &total);
    printf("%d %d\n", at, total);
    int n = printf("%s", "");
    n += printf("twelve chars");
    printf(" %d\n", n);
    return 0;
}
