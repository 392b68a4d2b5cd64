// stdatomic.h in one thread: loads, stores, read-modify-write, exchange, compare and exchange.
// For MIPS clang finds the header of gcc, which it cannot read.
// machines: x86_64 i386 arm aarch64 riscv64
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static atomic_int counter = 5;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(long) wide;
struct pair { int a, b; };
static _Atomic(struct pair) both;

int main(void)
{
    printf("%d\n", atomic_fetch_add(&counter, 3));
    printf("%d\n", atomic_fetch_sub_explicit(&counter, 1, memory_order_relaxed));
    printf("%d\n", atomic_load(&counter));
    printf("%d\n", atomic_exchange(&counter, 100));
    int expected = 99;
    bool ok = atomic_compare_exchange_strong(&counter, &expected, 1);
    printf("%d %d\n", ok, expected);
    ok = atomic_compare_exchange_strong(&counter, &expected, 1);
    printf("%d %d\n", ok, atomic_load(&counter));
    atomic_fetch_or(&counter, 0xf0);
    atomic_fetch_and(&counter, 0x3f);
    atomic_fetch_xor(&counter, 0xff);
    printf("%d\n", counter);
    counter++;
    counter += 10;
    counter *= 2;
    printf("%d\n", counter);
    printf("%d", atomic_flag_test_and_set(&flag));
    printf("%d", atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d\n", atomic_flag_test_and_set(&flag));
    atomic_store(&wide, -1L);
    wide ^= 0xff;
    printf("%ld\n", wide);
    struct pair p = {1, 2};
    atomic_store(&both, p);
    struct pair q = atomic_load(&both);
    printf("%d %d\n", q.a, q.b);
    atomic_thread_fence(memory_order_seq_cst);
    _Atomic unsigned char c = 255;
    c++;
    printf("%d\n", c);
    _Atomic double d = 1.5;
    d += 2;
    printf("%g\n", d);
    int *_Atomic ptr = (int[]){1, 2, 3};
    ptr++;
    printf("%d\n", *ptr);
    return 0;
}
