/* ctype.h: the tables of the C locale, which the macros of the header read, and the functions over them. */
#include <ctype.h>

#include "internal.h"

#define IN(c, low, high) ((c) >= (low) && (c) <= (high))
#define UPPER(c) IN(c, 'A', 'Z')
#define LOWER(c) IN(c, 'a', 'z')
#define DIGIT(c) IN(c, '0', '9')
#define ALPHA(c) (UPPER(c) || LOWER(c))
#define GRAPH(c) IN(c, 0x21, 0x7e)
#define CLASS(c)                                                                                                  \
    ((UPPER(c) ? _ISupper : 0) | (LOWER(c) ? _ISlower : 0) | (ALPHA(c) ? _ISalpha : 0) | (DIGIT(c) ? _ISdigit : 0) | \
     (DIGIT(c) || IN(c, 'a', 'f') || IN(c, 'A', 'F') ? _ISxdigit : 0) |                                           \
     ((c) == ' ' || IN(c, '\t', '\r') ? _ISspace : 0) | (IN(c, 0x20, 0x7e) ? _ISprint : 0) |                      \
     (GRAPH(c) ? _ISgraph : 0) | ((c) == ' ' || (c) == '\t' ? _ISblank : 0) |                                     \
     (IN(c, 0, 0x1f) || (c) == 0x7f ? _IScntrl : 0) | (GRAPH(c) && !ALPHA(c) && !DIGIT(c) ? _ISpunct : 0) |       \
     (ALPHA(c) || DIGIT(c) ? _ISalnum : 0))
/* The tables start at -128, and -1 is EOF; what a negative char means is the byte. */
#define SAME(c) ((c) < -1 ? (c) + 256 : (c))
#define TO_LOWER(c) (UPPER(c) ? (c) + 32 : SAME(c))
#define TO_UPPER(c) (LOWER(c) ? (c)-32 : SAME(c))

#define ROW(f, c)                                                                                                   \
    f(c), f((c) + 1), f((c) + 2), f((c) + 3), f((c) + 4), f((c) + 5), f((c) + 6), f((c) + 7), f((c) + 8), f((c) + 9), \
        f((c) + 10), f((c) + 11), f((c) + 12), f((c) + 13), f((c) + 14), f((c) + 15)
#define ROWS(f, c)                                                                                             \
    ROW(f, c), ROW(f, (c) + 16), ROW(f, (c) + 32), ROW(f, (c) + 48), ROW(f, (c) + 64), ROW(f, (c) + 80),       \
        ROW(f, (c) + 96), ROW(f, (c) + 112)
#define TABLE(f) {ROWS(f, -128), ROWS(f, 0), ROWS(f, 128)}

static const unsigned short classes[384] = TABLE(CLASS);
static const int lower[384] = TABLE(TO_LOWER);
static const int upper[384] = TABLE(TO_UPPER);

static const unsigned short *class_table = classes + 128;
static const int *lower_table = lower + 128;
static const int *upper_table = upper + 128;

const unsigned short **__ctype_b_loc(void) { return &class_table; }
const int **__ctype_tolower_loc(void) { return &lower_table; }
const int **__ctype_toupper_loc(void) { return &upper_table; }

/* An argument outside the table is undefined, and is seen as the read out of bounds that it is. */
#define PREDICATE(name, mask) \
    int(name)(int c) { return class_table[c] & (mask); }

PREDICATE(isalnum, _ISalnum)
PREDICATE(isalpha, _ISalpha)
PREDICATE(isblank, _ISblank)
PREDICATE(iscntrl, _IScntrl)
PREDICATE(isdigit, _ISdigit)
PREDICATE(isgraph, _ISgraph)
PREDICATE(islower, _ISlower)
PREDICATE(isprint, _ISprint)
PREDICATE(ispunct, _ISpunct)
PREDICATE(isspace, _ISspace)
PREDICATE(isupper, _ISupper)
PREDICATE(isxdigit, _ISxdigit)

int(tolower)(int c) { return UPPER(c) ? c + 32 : (c >= -128 && c < -1 ? c + 256 : c); }
int(toupper)(int c) { return LOWER(c) ? c - 32 : (c >= -128 && c < -1 ? c + 256 : c); }
#undef _tolower
#undef _toupper
int _tolower(int c) { return lower_table[c]; }
int _toupper(int c) { return upper_table[c]; }
#undef isascii
#undef toascii
int isascii(int c) { return c >= 0 && c < 128; }
int toascii(int c) { return c & 0x7f; }
