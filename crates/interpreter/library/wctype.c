/* wctype.h in the C locale: the classes of ASCII, nothing above. */
#include <ctype.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "internal.h"

static int class_of(wint_t c, int mask) { return c < 128 ? (*__ctype_b_loc())[c] & mask : 0; }

#define PREDICATE(name, mask) \
    int(name)(wint_t c) { return class_of(c, mask); }

PREDICATE(iswalnum, _ISalnum)
PREDICATE(iswalpha, _ISalpha)
PREDICATE(iswblank, _ISblank)
PREDICATE(iswcntrl, _IScntrl)
PREDICATE(iswgraph, _ISgraph)
PREDICATE(iswlower, _ISlower)
PREDICATE(iswprint, _ISprint)
PREDICATE(iswpunct, _ISpunct)
PREDICATE(iswspace, _ISspace)
PREDICATE(iswupper, _ISupper)
PREDICATE(iswxdigit, _ISxdigit)
int iswdigit(wint_t c) { return c >= '0' && c <= '9'; }

wint_t towlower(wint_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
wint_t towupper(wint_t c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }

static const struct {
    const char *name;
    int mask;
} classes[] = {
    {"alnum", _ISalnum}, {"alpha", _ISalpha}, {"blank", _ISblank}, {"cntrl", _IScntrl},
    {"digit", _ISdigit}, {"graph", _ISgraph}, {"lower", _ISlower}, {"print", _ISprint},
    {"punct", _ISpunct}, {"space", _ISspace}, {"upper", _ISupper}, {"xdigit", _ISxdigit},
};

wctype_t wctype(const char *name) {
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (strcmp(classes[i].name, name) == 0) return (wctype_t)classes[i].mask;
    }
    return 0;
}

int iswctype(wint_t c, wctype_t type) { return class_of(c, (int)type); }

wctrans_t wctrans(const char *name) {
    if (strcmp(name, "tolower") == 0) return __ctype_tolower_loc()[0];
    if (strcmp(name, "toupper") == 0) return __ctype_toupper_loc()[0];
    return NULL;
}

wint_t towctrans(wint_t c, wctrans_t map) { return c < 128 && map != NULL ? (wint_t)map[c] : c; }
