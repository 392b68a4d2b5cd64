#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <complex.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef char c16 __attribute__((vector_size(16)));
typedef bool b8 __attribute__((ext_vector_type(8)));
typedef short s3 __attribute__((ext_vector_type(3)));

struct big { long a[5]; char c; };
struct fl { float x, y; };
struct mix { double d; int i; };
struct bits { unsigned a:3; int b:5; unsigned long long c:40; _Bool d:1; int :0; signed e:20; };
union u { int i; float f; char c[8]; struct { short a, b; } s; };
struct empty {};
struct flex { int n; int data[]; };

v4 vadd(v4 a, v4 b) { return a + b * (a > b) - ~a; }
f4 fadd4(f4 a, f4 b, int i) { a[i] = b[i & 3]; return a / b + (f4){1,2,3,4}; }
v4 conv(f4 a) { return __builtin_convertvector(a, v4); }
d2 recast(v4 a) { return (d2)a; }
c16 shuf(c16 a, c16 b) { return __builtin_shufflevector(a, b, 0,16,1,17,2,18,3,19,4,20,5,21,6,22,7,-1); }
__int128 asint(v4 v) { return (__int128)v; }
v4 asvec(__int128 v) { return (v4)v; }
b8 bools(b8 a, b8 b, int i) { a[i] = 1; return a & b; }
s3 three(s3 a, int i) { a[i]++; return a.zyx; }
v4 shifts(v4 a, v4 b) { return (a << b) ^ (a >> 2) % b; }
int red(v4 a) { return __builtin_reduce_add(a) + __builtin_reduce_max(a) + __builtin_reduce_xor(a); }
f4 elem(f4 a) { return __builtin_elementwise_sqrt(__builtin_elementwise_abs(a)) + __builtin_elementwise_floor(a); }
typedef int e4 __attribute__((ext_vector_type(4))); e4 tern(e4 c, e4 a, e4 b) { return c ? a : b; }

static int vsum(int n, ...) {
  va_list ap, aq; va_start(ap, n); va_copy(aq, ap);
  int r = 0;
  for (int i = 0; i < n; i++) r += va_arg(ap, int);
  struct big b = va_arg(ap, struct big);
  struct fl f = va_arg(ap, struct fl);
  struct mix m = va_arg(ap, struct mix);
  long double ld = va_arg(ap, long double);
  __int128 q = va_arg(ap, __int128);
  va_end(ap); va_end(aq);
  return r + b.a[0] + f.x + m.d + ld + (int)q;
}
struct big mk(struct big b, struct fl f, struct mix m, struct empty e) { b.a[1] = f.y + m.i; return b; }
int callv(void) { struct big b = {{1,2,3},4}; struct fl f = {1,2}; struct mix m = {3,4}; struct empty e; 
  b = mk(b, f, m, e);
  return vsum(2, 1, 2, b, f, m, 3.0L, (__int128)7); }

int bitf(struct bits *p, struct bits q) { p->a = q.b; p->b = q.a; p->c += q.e; p->d = !q.d; return p->e + q.c; }
int uni(union u x) { x.s.a = 3; return x.i + x.c[3] + (int)x.f; }
int flexi(struct flex *f) { int s = 0; for (int i = 0; i < f->n; i++) s += f->data[i]; return s; }
int vla(int n, int m) { int a[n][m]; char b[n]; for (int i=0;i<n;i++) for (int j=0;j<m;j++) a[i][j]=i*j; b[0]=sizeof a; return a[n-1][m-1]+b[0]; }
int cgoto(int x) { static void *tab[] = {&&a, &&b, &&c}; static int offs[] = {&&a - &&a, &&b - &&a, &&c - &&a};
  goto *tab[x % 3]; a: x += 1; if (x > 100) return x; goto *(&&a + offs[(x + 1) % 3]); b: x += 2; goto *tab[2]; c: return x; }
int sw(unsigned long long x) { switch (x) { case 1: return 2; case 5 ... 9: return 3; case 0xffffffffffffffffull: return 4; default: return 5; } }
int sw128(__int128 x) { switch ((long)x) { case -1: return 1; } return x == (((__int128)1) << 100) + 77; }
_Atomic int at; _Atomic long al; _Atomic double ad; _Atomic(int*) ap_;
int atomics(int x) { int e = 3; at += x; at = at + 1; atomic_fetch_or(&al, 3); atomic_fetch_and(&al, 3); atomic_exchange(&at, 7);
  atomic_compare_exchange_strong(&at, &e, 9); ad += 2.0; __sync_fetch_and_nand(&x, 3); __sync_bool_compare_and_swap(&x, 1, 2);
  atomic_thread_fence(memory_order_seq_cst); __atomic_fetch_max(&x, 4, __ATOMIC_RELAXED); return x + e; }
long double ldm(long double a, float b, double c) { return a * 1.1L + b - c / 0x1.8p-16440L + (a < b) + sqrtl(a) + fabsl(a); }
double fpm(double a, float b) { return floor(a) + ceil(a) + trunc(a) + round(a) + rint(a) + nearbyint(a) + fabs(a) + copysign(a,b)
  + fma(a, b, 2) + fmin(a,b) + fmax(a,b) + sqrt(a) + pow(a,b) + exp(a) + log(a) + sin(a) + cos(a) + (double)lrint(a) + lround(a) + llrintf(b)
  + __builtin_powi(a, 3) + isnan(a) + isinf(b) + signbit(a) + isfinite(a) + __builtin_isfpclass(a, 3) + fpclassify(a) + a * b + 1.0; }
double complex cx(double complex a, float complex b) { return a * b + conj(a) / 2.0 + creal(b) * I; }
unsigned long bitsb(unsigned x, unsigned long y, unsigned __int128 z) { return __builtin_popcount(x) + __builtin_clz(x) + __builtin_ctzl(y) + __builtin_bswap32(x)
  + __builtin_bswap64(y) + __builtin_bitreverse16(x) + __builtin_rotateleft32(x, 3) + __builtin_rotateright64(y, x) + __builtin_ffs(x) + __builtin_parity(x)
  + (unsigned long)(z >> 3) + __builtin_bswap16(x) + __builtin_clrsb(x); }
int ovf(int a, int b, long c) { int r; long l; unsigned u; _Bool o = __builtin_add_overflow(a, b, &r) | __builtin_sub_overflow(a, b, &r) | __builtin_mul_overflow(a, b, &r) | __builtin_mul_overflow(c, c, &l) | __builtin_add_overflow((unsigned)a, 1u, &u) | __builtin_sub_overflow((unsigned)a, 1u, &u)| __builtin_mul_overflow((unsigned)a, 3u, &u); return o + (r & 7); }
int mm(int a, int b) { return __builtin_elementwise_max(a,b) + __builtin_elementwise_add_sat(a,b) + __builtin_elementwise_sub_sat((unsigned)a,(unsigned)b) + abs(a) + labs(b); }
jmp_buf jb; int sj(int x) { volatile int v = 0; if (setjmp(jb)) return v; v = x; longjmp(jb, 1); }
int misc(int *p, char *s) { if (__builtin_expect(p == 0, 0)) __builtin_trap(); __builtin_assume(*p > 0); __builtin_prefetch(p);
  asm volatile("" ::: "memory"); int y = *p; asm("" : "+r"(y)); asm volatile("" : "+m"(*p)); 
  if (__builtin_constant_p(y)) y++; y += __builtin_object_size(p, 0) + __builtin_object_size(p, 3); 
  char *q = __builtin_alloca(y); q = __builtin_align_down(q, 16); q[0] = 1; memcpy(q, s, 3); memmove(q, s, y); memset(q, 0, y);
  return (__builtin_frame_address(0) != 0) + (__builtin_return_address(0) != 0) + q[1] + y; }
static int helper(int a) __attribute__((noinline, optnone)); static int helper(int a) { int loc = a; return loc + 1; }
int (*fp)(int) = helper; int (*const ftab[])(int) = {helper, abs, 0};
int callfp(int i) { return fp(i) + ftab[i](i) + (i ? helper : abs)(3); }
extern int und(int); extern int undv; extern int weakf(void) __attribute__((weak)); extern struct opaque op;
int useund(void) { return und(undv) + (weakf ? weakf() : 0) + 0; }
int aliased(int) __attribute__((alias("callfp")));
extern int galias __attribute__((alias("gx"))); int gx = 5;
int usealias(void) { return aliased(1) + galias; }
__thread int tls = 4; static _Thread_local struct mix tlm; int usetls(void) { return tls++ + tlm.i; }
struct node { struct node *next; int v; char nm[3]; } n2, n1 = {&n2, -1, "ab"}, n2 = {&n1, 7, {'x'}};
int *pp = &n1.v, *endp = &((int[]){1,2,3})[2]; char *str = "hello" + 1; long pint = (long)&n2 + 3; unsigned char arr[1000] = {[3] = 7, [900] = 1};
double dar[] = {1.5, -0.0, 1e308, 0x1p-1074}; float far[3] = {1.25f}; long double lda[2] = {1.1L, -2.5L}; __int128 i128 = ((__int128)0x123456789abcdef0 << 64) | 0xfedcba9876543210;
v4 gv = {1,2,3,4}; b8 gb = {1,0,1,1}; struct bits gbits = {5,-3,1ull<<39,1,-7}; union u gun = {.f = 2.5f}; wchar_t wide[] = L"wide"; char huge[1u<<30]; _Bool gbool = 1;
const char *const names[] = {"a", "bc", "a"}; ptrdiff_t dist; int *nullp; void *self = &self; _BitInt(37) bi = -5; _BitInt(37) bim(_BitInt(37) a, unsigned _BitInt(128) b) { return a * 3 + (_BitInt(37))b; }
static int stat_local(void) { static int count = 3; static const int t[] = {1,2}; return count++ + t[0]; }
int usestat(void) { return stat_local(); }
int condx(int a, int b) { int r = a ? 1 : 2; r += a && b ? 5 : b || !a; double d = b ? 1.5 : 2.5; return r + (int)d + (a > b ? a : b) + (a ?: b); }
int undefd(int c) { int x; if (c) x = 3; return x; }
int loops(int n) { int s = 0; do { for (;;) { if (s > n) break; s += 2; if (s == 7) continue; } } while (s < n--); while (1) { if (s-- < 0) goto out; } out: return s; return 5; }
long idx(int a[4][5], int i, short j, unsigned char k, struct node *n, unsigned u) { static int g[3][4]; return a[i][j] + g[k][i] + n[i-1].nm[j] + a[1][2] + *(a[u] - 0) + g[2][5 - k]; }
void ctor(void) __attribute__((constructor)); void ctor(void) { gx = 1; } void ctor1(void) __attribute__((constructor(101))); void ctor1(void) { gx = 2; }
void dtor(void) __attribute__((destructor)); void dtor(void) { gx = 3; }
struct ret2 { long a; double b; }; struct ret2 r2(int x) { struct ret2 r = {x, x}; return r; } struct ret2 user2(void) { struct ret2 z = r2(3); z.a += r2(4).b; return z; }
int ptrcmp(char *a, char *b) { return a < b && a - b > 3 && (uintptr_t)a % 8 == 0 && (char)(uintptr_t)a && (int*)(long)a[0]; }
float f2i(float f, unsigned u, unsigned long l, signed char c) { return (float)(int)f + (float)u + (float)l + (double)c + (unsigned char)f + (unsigned long)f + (long double)l; }
int krdecl(); int kr(a, b) int a; char b; { return krdecl(a, b, 1.0) + a; }
_Noreturn void die(void) { abort(); } int nr(int x) { if (x) die(); __builtin_unreachable(); }

#define P4(v) do { v4 t_ = (v4)(v); printf("%d %d %d %d\n", t_[0], t_[1], t_[2], t_[3]); } while (0)
int main(void) {
  v4 a = {1,-2,300,4}, b = {5,6,-7,8}; f4 x = {1.5f,-2.25f,9,16}, y = {2,4,8,-16};
  P4(vadd(a,b)); P4(fadd4(x,y,2)); P4(conv(x)); P4((v4)recast(a)); 
  c16 c1, c2; for (int i = 0; i < 16; i++) { c1[i] = i; c2[i] = 100 + i; } c16 c3 = shuf(c1, c2); for (int i = 0; i < 15; i++) printf("%d ", c3[i]); puts("");
  __int128 q = asint(a); printf("%lx %lx\n", (long)q, (long)(q >> 64)); P4(asvec(q ^ 77));
  b8 b1 = {1,0,1,1}, b2 = {1,1,1,0,1,1}; b8 b3 = bools(b1, b2, 5); for (int i = 0; i < 8; i++) printf("%d", (int)b3[i]); puts("");
  s3 t = {1,2,3}; t = three(t, 1); printf("%d %d %d\n", t.x, t.y, t.z);
  P4(shifts((v4){8,-9,10,11}, (v4){1,2,3,4})); printf("%d\n", red(a)); P4(elem(x)); P4(tern((e4){-1,0,-1,0}, (e4){1,2,3,4}, (e4){5,6,7,8}));
  printf("%d\n", callv());
  struct bits p = {1,2,3,1,4}, r = {5,-6,700000,0,-300}; printf("%d\n", bitf(&p, r)); printf("%d %d %lld %d %d\n", p.a, p.b, (long long)p.c, p.d, p.e);
  printf("%d %d\n", uni((union u){.i=0x40490fdb}), vla(3,4)); for (int i = 0; i < 5; i++) printf("%d ", cgoto(i)); 
  printf("%d %d %d %d\n", sw(1), sw(7), sw(-1), sw(100)); printf("%d %d %d\n", sw128(-1), sw128((((__int128)1) << 100) + 77), sw128(3));
  printf("%d %d %ld %f\n", atomics(5), at, al, ad); printf("%.15Lg\n", ldm(3.7L, 1.5f, 1e-10)); printf("%.10g\n", fpm(2.3, 1.25f));
  double complex z = cx(1.5 + 2.0*I, 3.0f - 4.0f*I); printf("%g %g\n", creal(z), cimag(z)); printf("%lx\n", bitsb(0x12345678, 0xfedcba9876543210, (unsigned __int128)1 << 90));
  printf("%d %d\n", ovf(2147483647, 1, 5), ovf(3, 4, 5)); printf("%d\n", mm(-5, 9)); printf("%d\n", sj(42));
  int mi = 20; printf("%d\n", misc(&mi, "abcdefghijklmnopqrstuvwxyz") != 0); printf("%d %d\n", callfp(0), usealias()); printf("%d %d\n", usetls(), usetls());
  printf("%d %d %s %ld %d\n", *pp, *endp, str, pint - (long)&n2, arr[900]); printf("%g %g %g %Lg %Lg\n", dar[1], dar[3], far[0], lda[0], lda[1]);
  printf("%lx %lx\n", (long)(i128 >> 64), (long)i128); P4(gv); printf("%d%d%d %d %lld %d\n", gb[0], gb[1], gb[2], gbits.b, (long long)gbits.c, gbits.e); printf("%ls %d %f\n", wide, huge[12345], gun.f);
  printf("%d %d\n", (int)bi, (int)bim(7, 9)); printf("%d %d\n", usestat(), usestat()); printf("%d %d %d\n", condx(0, 0), condx(1, 0), condx(3, 2)); printf("%d\n", loops(10));
  int m[4][5]; for (int i = 0; i < 20; i++) m[i/5][i%5] = i; printf("%ld\n", idx(m, 1, 2, 2, &n1, 1)); struct ret2 rr = user2(); printf("%ld %g\n", rr.a, rr.b); printf("%g\n", f2i(3.7f, 4000000000u, 1ul << 63, -3));
  printf("%d\n", ptrcmp("a", "b")); printf("%d\n", kr(1, 2)); return 7;
}
int krdecl(a, b, d) int a, b; double d; { return a * 100 + b * 10 + d; }
int und(int x) { return x; } int undv = 3;
