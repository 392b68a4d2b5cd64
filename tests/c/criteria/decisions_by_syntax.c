// Decisions that clang's MC/DC does not count, written so that their text misleads: operators in comments, strings and
// arguments that are not evaluated, a cast, a compound literal, constants that are names, macros that end a decision, and
// a macro of a system header, whose conditions have no text.
// function: many
// options: -c mcdc
// expect: mcdc covered 19 infeasible 0 unknown 0
#include <assert.h>
#define ON 1
#define AND &&
#define RAW(a, b) a && b
#define CHECK(x) if (x) n++
enum { OFF };
struct pair { int left, right; };

static int same(int v) { return v; }
static int is_and(const char *s) { return s[0] == '&'; }

int many(int a, int b, int c)
{
    int n = 0;
    if (same(a || b) /* || c */ && (int)sizeof(a && b) > b && is_and(a > 50 ? "&& ||" : "||") && c) // && a
        n++;
    if (same(a && c) AND ((struct pair){ a > 1, b > 1 }).left AND(b > 2))
        n++;
    if ((ON && same(a > 4 || b > 4)) || OFF || c > 4)
        n++;
    CHECK(RAW(same(a > 5 && b > 5), c > 5));
    assert(n >= 0);
    return n;
}
