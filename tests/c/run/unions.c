// Unions: members share storage, tagged unions, unions by value.
#include <stdio.h>
#include <string.h>

enum kind { INT, REAL, TEXT };

struct value {
    enum kind kind;
    union {
        long i;
        double r;
        char s[12];
    };
};

union small { int i; float f; };
union wide { char c[24]; long n; double d; };

static struct value make_int(long i) { return (struct value){.kind = INT, .i = i}; }
static struct value make_real(double r) { return (struct value){.kind = REAL, .r = r}; }
static struct value make_text(const char *s)
{
    struct value v = {.kind = TEXT};
    strncpy(v.s, s, sizeof v.s - 1);
    return v;
}

static void show(struct value v)
{
    switch (v.kind) {
    case INT: printf("int %ld\n", v.i); break;
    case REAL: printf("real %g\n", v.r); break;
    case TEXT: printf("text %s\n", v.s); break;
    }
}

static union small negate(union small u) { u.i ^= (int)0x80000000; return u; }
static union wide put(union wide w, char c) { w.c[23] = c; return w; }

int main(void)
{
    show(make_int(-99));
    show(make_real(2.75));
    show(make_text("a union text"));
    printf("%g\n", negate((union small){.f = 6.5f}).f);
    union wide w = {.n = 0x4142};
    w = put(w, '!');
    printf("%c%c%c %zu\n", w.c[0], w.c[1], w.c[23], sizeof w);
    union { unsigned char b[8]; unsigned long n; } bytes = {.b = {1, 2, 3, 4, 5, 6, 7, 8}};
    printf("%lx\n", bytes.n);
    union small arr[3] = {{1}, {.f = 1.0f}, {.i = 3}};
    printf("%d %x %d\n", arr[0].i, arr[1].i, arr[2].i);
    return 0;
}
