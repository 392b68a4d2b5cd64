// Shuffles, conversions, comparisons and selection on vectors.
#include <stdio.h>

typedef int v4i __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef int v8i __attribute__((vector_size(32)));
typedef short v4s __attribute__((vector_size(8)));
typedef int e4 __attribute__((ext_vector_type(4)));
typedef int e2 __attribute__((ext_vector_type(2)));

static void show(v4i v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }

int main(void)
{
    v4i a = {1, 2, 3, 4}, b = {4, 3, 2, 1};
    show(__builtin_shufflevector(a, b, 3, 2, 1, 0));
    show(__builtin_shufflevector(a, b, 0, 4, 1, 5));
    v8i w = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
    int s = 0;
    for (int i = 0; i < 8; i++)
        s = s * 2 + w[i];
    printf("%d\n", s);
    show(a < b);
    show(a == b);
    show(a >= b);
    v4i m = a > b;
    show((a & m) | (b & ~m));
    v4f f = {1.9f, -1.9f, 0.5f, 1e6f};
    show(__builtin_convertvector(f, v4i));
    show(f > 0);
    v4s n = __builtin_convertvector(a * 1000, v4s);
    printf("%d %d\n", n[0], n[3]);
    v4f g = __builtin_convertvector(a, v4f) / 2;
    printf("%g %g\n", g[0], g[3]);
    v4i bits = (v4i)f;
    printf("%x\n", bits[2]);
    e4 e = {5, 6, 7, 8};
    e2 h = e.wy;
    e.xz = h;
    printf("%d %d %d %d %d %d\n", h.x, h.y, e.x, e.y, e.z, e.w);
    e4 pick = e > 6 ? e : -e;
    printf("%d %d %d %d\n", pick.x, pick.y, pick.z, pick.w);
    printf("%d %d\n", __builtin_reduce_add(a), __builtin_reduce_max(b));
    return 0;
}
