// flags: -Wno-sync-fetch-and-nand-semantics-changed
// The __sync and __atomic builtins in all widths, with min, max and nand.
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    int8_t a = 100;
    uint16_t b = 65535;
    int32_t c = -5;
    uint64_t d = 1ULL << 40;
    printf("%d\n", __sync_fetch_and_add(&a, 20));
    printf("%d\n", __sync_add_and_fetch(&b, 2));
    printf("%d\n", __sync_sub_and_fetch(&c, 10));
    printf("%d\n", (int)__sync_fetch_and_nand(&c, 0xff));
    printf("%d\n", c);
    printf("%d\n", __sync_bool_compare_and_swap(&c, 1, 2));
    int old = c;
    printf("%d\n", __sync_val_compare_and_swap(&c, old, 77));
    printf("%d\n", __sync_lock_test_and_set(&c, 1));
    __sync_lock_release(&c);
    __sync_synchronize();
    printf("%d\n", c);
    printf("%llu\n", (unsigned long long)__atomic_fetch_or(&d, 7, __ATOMIC_SEQ_CST));
    printf("%llu\n", (unsigned long long)__atomic_xor_fetch(&d, 1, __ATOMIC_RELAXED));
    uint64_t want = 0, put = 9;
    printf("%d", __atomic_compare_exchange(&d, &want, &put, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    printf(" %llu\n", (unsigned long long)want);
    printf("%d", __atomic_compare_exchange_n(&d, &want, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    printf(" %llu\n", (unsigned long long)__atomic_load_n(&d, __ATOMIC_ACQUIRE));
    __atomic_store_n(&c, -100, __ATOMIC_RELEASE);
    printf("%d\n", __atomic_exchange_n(&c, 3, __ATOMIC_SEQ_CST));
    printf("%d\n", __atomic_fetch_min(&c, -8, __ATOMIC_SEQ_CST));
    printf("%d\n", __atomic_fetch_max(&c, 8, __ATOMIC_SEQ_CST));
    printf("%d\n", c);
    unsigned u = 5;
    __atomic_fetch_max(&u, 0xf0000000u, __ATOMIC_SEQ_CST);
    printf("%u\n", u);
    char flag = 0;
    printf("%d", __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    printf("%d\n", __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    int *p = &c;
    int *q = __atomic_exchange_n(&p, 0, __ATOMIC_SEQ_CST);
    printf("%d %d\n", p == 0, *q);
    return 0;
}
