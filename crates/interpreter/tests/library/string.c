/* Strings over a small alphabet, so that matches are frequent. */
#include <ctype.h>
#include <signal.h>
#include <strings.h>
#include <wchar.h>
#include <wctype.h>

#include "check.h"

#undef strdupa
#define STRINGS(X) \
    X(memcmp) X(memchr) X(memrchr) X(memmem) X(memccpy) X(mempcpy) X(rawmemchr) X(strlen) X(strnlen) X(strcpy) \
    X(stpcpy) X(strncpy) X(stpncpy) X(strcat) X(strncat) X(strcmp) X(strncmp) X(strcasecmp) X(strncasecmp) \
    X(strcoll) X(strxfrm) \
    X(strchr) X(strrchr) X(strchrnul) X(strspn) X(strcspn) X(strpbrk) X(strstr) X(strcasestr) X(strtok) X(strtok_r) \
    X(strsep) X(strdup) X(strndup) X(strerror) X(strsignal) X(index) X(rindex) X(ffs) X(ffsl) X(ffsll) X(strverscmp) \
    X(bcmp) X(bcopy) X(bzero) X(free) X(swab)
#define DECLARE(name) TWIN(name);
extern void swab(const void *, void *, ssize_t);
STRINGS(DECLARE)

static char a[32];
static char b[32];

static unsigned fill(char *to, const char *alphabet) {
    unsigned length = below(20);
    for (unsigned i = 0; i < length; i++) to[i] = alphabet[below((unsigned)strlen(alphabet))];
    memset(to + length, 0, 32 - length);
    return length;
}

static int sign(int value) { return (value > 0) - (value < 0); }

#define SAME(call, cov_call) CHECK((call) == (cov_call), #call " of \"%s\", \"%s\"", show(a), show(b))
#define SAME_SIGN(call, cov_call) CHECK(sign(call) == sign(cov_call), #call " of \"%s\", \"%s\"", show(a), show(b))

static void looking(unsigned n) {
    int c = a[0] != 0 ? a[below(20)] : 'b';
    SAME(memcmp(a, b, n), cov_memcmp(a, b, n));
    SAME_SIGN(bcmp(a, b, n), cov_bcmp(a, b, n));
    SAME(memchr(a, c, n), cov_memchr(a, c, n));
    SAME(memrchr(a, c, n), cov_memrchr(a, c, n));
    SAME(rawmemchr(a, 0), cov_rawmemchr(a, 0));
    SAME(memmem(a, n, b, n % 4), cov_memmem(a, n, b, n % 4));
    SAME(strlen(a), cov_strlen(a));
    SAME(strnlen(a, n), cov_strnlen(a, n));
    SAME(strcmp(a, b), cov_strcmp(a, b));
    SAME(strncmp(a, b, n), cov_strncmp(a, b, n));
    SAME(strcasecmp(a, b), cov_strcasecmp(a, b));
    SAME(strncasecmp(a, b, n), cov_strncasecmp(a, b, n));
    SAME(strcoll(a, b), cov_strcoll(a, b));
    SAME_SIGN(strverscmp(a, b), cov_strverscmp(a, b));
    SAME(strchr(a, c), cov_strchr(a, c));
    SAME(strrchr(a, c), cov_strrchr(a, c));
    SAME(strchr(a, 0), cov_strchr(a, 0));
    SAME(strrchr(a, 0), cov_strrchr(a, 0));
    SAME(strchrnul(a, c), cov_strchrnul(a, c));
    SAME(index(a, c), cov_index(a, c));
    SAME(rindex(a, c), cov_rindex(a, c));
    SAME(strspn(a, b), cov_strspn(a, b));
    SAME(strcspn(a, b), cov_strcspn(a, b));
    SAME(strpbrk(a, b), cov_strpbrk(a, b));
    char *part = b + (strlen(b) > 2 ? strlen(b) - 2 : 0);
    SAME(strstr(a, part), cov_strstr(a, part));
    SAME(strcasestr(a, part), cov_strcasestr(a, part));
}

/* Runs a copying call on two equal buffers and compares all of both, and the place returned. */
#define COPYING(name, ...)                                                                                  \
    do {                                                                                                    \
        char x[96];                                                                                         \
        char y[96];                                                                                         \
        memset(x, '#', 96);                                                                                 \
        memset(y, '#', 96);                                                                                 \
        strcpy(x, "start");                                                                                 \
        strcpy(y, "start");                                                                                 \
        char *to = x;                                                                                       \
        char *first = (char *)name(__VA_ARGS__);                                                            \
        to = y;                                                                                             \
        char *second = (char *)cov_##name(__VA_ARGS__);                                                     \
        bool same = memcmp(x, y, 96) == 0 && (first == NULL ? second == NULL : first - x == second - y);    \
        CHECK(same, #name " of \"%s\"", show(a));                                                           \
    } while (0)

static void copying(unsigned n) {
    COPYING(strcpy, to, a);
    COPYING(stpcpy, to, a);
    COPYING(strncpy, to, a, n);
    COPYING(stpncpy, to, a, n);
    COPYING(strcat, to, a);
    COPYING(strncat, to, a, n);
    COPYING(mempcpy, to, a, n);
    COPYING(memccpy, to, a, 'b', n);
    char x[32];
    char y[32];
    memset(x, '#', sizeof x);
    memset(y, '#', sizeof y);
    CHECK(strxfrm(x, a, n) == cov_strxfrm(y, a, n) && (strlen(a) >= n || strcmp(x, y) == 0), "strxfrm %s", a);
    swab(a, x, n);
    cov_swab(a, y, n);
    CHECK(memcmp(x, y, n & ~1u) == 0, "swab");
    char *copy = cov_strndup(a, n);
    CHECK(strncmp(copy, a, n) == 0 && strlen(copy) == strnlen(a, n), "strndup");
    cov_free(copy);
    copy = cov_strdup(a);
    CHECK(strcmp(copy, a) == 0, "strdup");
    cov_free(copy);
}

static void splitting(void) {
    char x[32];
    char y[32];
    memcpy(x, a, 32);
    memcpy(y, a, 32);
    char *first = strtok(x, "ab");
    char *second = cov_strtok(y, "ab");
    for (int i = 0; i < 20; i++) {
        CHECK((first == NULL) == (second == NULL) && (first == NULL || first - x == second - y), "strtok %s", a);
        const char *separators = i % 2 ? "a" : "b1";
        first = strtok(NULL, separators);
        second = cov_strtok(NULL, separators);
    }
    memcpy(x, a, 32);
    memcpy(y, a, 32);
    char *rest_x = x;
    char *rest_y = y;
    for (int i = 0; i < 10; i++) {
        first = strsep(&rest_x, "a1");
        second = cov_strsep(&rest_y, "a1");
        CHECK((first == NULL) == (second == NULL) && (first == NULL || first - x == second - y), "strsep %s", a);
    }
    CHECK(memcmp(x, y, 32) == 0, "strsep leaves %s", a);
}

void check_string(void) {
    for (int round = 0; round < 60000; round++) {
        const char *alphabet = round % 3 == 0 ? "abAB" : (round % 3 == 1 ? "ab01" : "a\xe9\xff\x01");
        fill(a, alphabet);
        fill(b, alphabet);
        if (round % 4 == 0) memcpy(b, a, below(20));
        unsigned n = below(20);
        looking(n);
        if (round % 4 == 0) {
            copying(n);
            splitting();
        }
    }
    for (int e = -3; e < 150; e++) {
        CHECK(strcmp(strerror(e), cov_strerror(e)) == 0, "strerror %d: %s, %s", e, strerror(e), cov_strerror(e));
        if (e < 0) continue;
        CHECK(strcmp(strsignal(e), cov_strsignal(e)) == 0, "strsignal %d: %s, %s", e, strsignal(e), cov_strsignal(e));
    }
    for (int round = 0; round < 200; round++) {
        long value = (long)(chance() << below(64));
        CHECK(ffs((int)value) == cov_ffs((int)value) && ffsl(value) == cov_ffsl(value) &&
                  ffsll(value) == cov_ffsll(value),
              "ffs %lx", value);
    }
    CHECK(cov_ffs(0) == 0 && cov_ffsll(0) == 0, "ffs 0");
}

#define CTYPES(X) \
    X(isalnum) X(isalpha) X(isblank) X(iscntrl) X(isdigit) X(isgraph) X(islower) X(isprint) X(ispunct) X(isspace) \
    X(isupper) X(isxdigit) X(tolower) X(toupper)
#define WCTYPES(X) \
    X(iswalnum) X(iswalpha) X(iswblank) X(iswcntrl) X(iswdigit) X(iswgraph) X(iswlower) X(iswprint) X(iswpunct) \
    X(iswspace) X(iswupper) X(iswxdigit) X(towlower) X(towupper)
CTYPES(DECLARE)
WCTYPES(DECLARE)
TWIN(__ctype_b_loc);
TWIN(__ctype_tolower_loc);
TWIN(__ctype_toupper_loc);
TWIN(btowc);
TWIN(wctob);
TWIN(mbrtowc);
TWIN(wcrtomb);
TWIN(mbtowc);
TWIN(mbstowcs);
TWIN(wcstombs);
TWIN(wcscmp);
TWIN(wcsstr);
TWIN(wcstok);
TWIN(swprintf);

#define COMPARE_CLASS(name) \
    CHECK((name)(c) == cov_##name(c), #name "(%d): wanted %d, got %d", c, (name)(c), cov_##name(c));
#define COMPARE_WIDE(name) CHECK(name(w) == cov_##name(w), #name "(%d): wanted %d, got %d", w, name(w), cov_##name(w));

void check_ctype(void) {
    for (int c = -128; c < 256; c++) {
        CTYPES(COMPARE_CLASS)
        CHECK((*__ctype_b_loc())[c] == (*cov___ctype_b_loc())[c], "class of %d", c);
        CHECK((*__ctype_tolower_loc())[c] == (*cov___ctype_tolower_loc())[c], "lower of %d", c);
        CHECK((*__ctype_toupper_loc())[c] == (*cov___ctype_toupper_loc())[c], "upper of %d", c);
    }
    for (int w = 0; w < 1000; w++) {
        WCTYPES(COMPARE_WIDE)
        CHECK(btowc(w) == cov_btowc(w) || w > 255, "btowc %d", w);
        CHECK(wctob((wint_t)w) == cov_wctob((wint_t)w), "wctob %d", w);
    }
    for (int c = 0; c < 256; c++) {
        char text[2] = {(char)c, 0};
        wchar_t x = 7;
        wchar_t y = 7;
        mbstate_t state = {0};
        CHECK(mbtowc(&x, text, 1) == cov_mbtowc(&y, text, 1) && x == y, "mbtowc %d", c);
        CHECK(mbrtowc(&x, text, 1, &state) == cov_mbrtowc(&y, text, 1, NULL) && x == y, "mbrtowc %d", c);
    }
    wchar_t wide[16];
    CHECK(cov_mbstowcs(wide, "hello", 16) == 5 && wcscmp(wide, L"hello") == 0, "mbstowcs");
    char narrow[16];
    CHECK(cov_wcstombs(narrow, L"hello", 16) == 5 && strcmp(narrow, "hello") == 0, "wcstombs");
    wchar_t again[16];
    for (size_t size = 1; size < 16; size++) {
        int wanted = swprintf(wide, size, L"%d-%ls|%5s", 42, L"wide", "x");
        int got = cov_swprintf(again, size, L"%d-%ls|%5s", 42, L"wide", "x");
        CHECK(wanted == got && (wanted < 0 || wcscmp(wide, again) == 0), "swprintf in %zu: %d, %d", size, wanted, got);
    }
    CHECK(cov_wcsstr(L"abcabd", L"abd") != NULL && cov_wcscmp(L"a", L"b") < 0, "wcsstr, wcscmp");
}
