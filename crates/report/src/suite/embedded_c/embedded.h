/* What tests need on a board: no C library, no memory from the heap, no files.
 *
 *     int covenant_run(void);          runs all tests; how many failed
 *     void covenant_putchar(int c);    yours: where the words go, one character after the other (a UART, a debugger, a buffer)
 *
 * Without a line to the outside, look at covenant_results when covenant_run is over: "COVENANT", the suite's digest, how many tests there are in
 * two bytes, the lower first, and for each test one of '?' not run, '>' begun, '+' passed, '-' failed. `covenant import-results` reads the
 * words, and a dump of memory that has the table in it. */
#ifndef COVENANT_EMBEDDED_H
#define COVENANT_EMBEDDED_H
#define COVENANT_EMBEDDED 1

#include <stdarg.h>
#include <stddef.h>

#define COVENANT_OPTIONAL __attribute__((unused))

void covenant_putchar(int c);
int covenant_run(void);

#ifndef NAN
#define NAN __builtin_nanf("")
#endif
#ifndef INFINITY
#define INFINITY __builtin_inff()
#endif

enum { COVENANT_HEAD = 8, COVENANT_DIGEST = 16, COVENANT_STATES = COVENANT_HEAD + COVENANT_DIGEST + 2 };

volatile unsigned char covenant_results[COVENANT_STATES + COVENANT_TESTS + 1];
static unsigned covenant_current, covenant_failures;
static int covenant_is_failed;

static COVENANT_OPTIONAL void *covenant_copy(void *to, const void *from, size_t size)
{
    volatile unsigned char *target = (volatile unsigned char *)to;
    size_t i;
    for (i = 0; i < size; i++)
        target[i] = ((const unsigned char *)from)[i];
    return to;
}

static COVENANT_OPTIONAL void *covenant_fill(void *to, int value, size_t size)
{
    volatile unsigned char *target = (volatile unsigned char *)to;
    size_t i;
    for (i = 0; i < size; i++)
        target[i] = (unsigned char)value;
    return to;
}

static COVENANT_OPTIONAL int covenant_compare(const void *one, const void *other, size_t size)
{
    const volatile unsigned char *a = (const volatile unsigned char *)one, *b = (const volatile unsigned char *)other;
    size_t i;
    for (i = 0; i < size; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static COVENANT_OPTIONAL size_t covenant_length(const char *text)
{
    size_t size = 0;
    while (((const volatile char *)text)[size] != 0)
        size++;
    return size;
}

#if !__STDC_HOSTED__
/* The compiler calls these by itself. A firmware that has them keeps its own. */
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *one, const void *other, size_t size);

__attribute__((weak)) void *memcpy(void *to, const void *from, size_t size)
{
    return covenant_copy(to, from, size);
}

__attribute__((weak)) void *memmove(void *to, const void *from, size_t size)
{
    volatile unsigned char *target = (volatile unsigned char *)to;
    if ((size_t)to < (size_t)from)
        return covenant_copy(to, from, size);
    while (size-- > 0)
        target[size] = ((const unsigned char *)from)[size];
    return to;
}

__attribute__((weak)) void *memset(void *to, int value, size_t size)
{
    return covenant_fill(to, value, size);
}

__attribute__((weak)) int memcmp(const void *one, const void *other, size_t size)
{
    return covenant_compare(one, other, size);
}
#endif

/* A text that grows up to its room. */
struct covenant_line {
    char *text;
    size_t room, size;
};

static void covenant_add(struct covenant_line *line, char letter)
{
    if (line->size + 1 < line->room)
        line->text[line->size++] = letter;
}

/* Without division or shifts of 64 bits, which some machines leave to a library. */
static void covenant_add_decimal(struct covenant_line *line, unsigned long long value)
{
    static const unsigned long long powers[] = {
        10000000000000000000ULL, 1000000000000000000ULL, 100000000000000000ULL, 10000000000000000ULL, 1000000000000000ULL,
        100000000000000ULL, 10000000000000ULL, 1000000000000ULL, 100000000000ULL, 10000000000ULL, 1000000000ULL, 100000000ULL,
        10000000ULL, 1000000ULL, 100000ULL, 10000ULL, 1000ULL, 100ULL, 10ULL, 1ULL,
    };
    int began = 0;
    size_t i;
    for (i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        char digit = '0';
        while (value >= powers[i]) {
            value -= powers[i];
            digit++;
        }
        began = began || digit != '0' || powers[i] == 1;
        if (began)
            covenant_add(line, digit);
    }
}

static void covenant_add_hex(struct covenant_line *line, unsigned long long value)
{
    int began = 0, at;
    for (at = 0; at < 16; at++) {
        unsigned digit = (unsigned)(value >> 60);
        value <<= 4;
        began = began || digit != 0 || at == 15;
        if (began)
            covenant_add(line, "0123456789abcdef"[digit]);
    }
}

static void covenant_add_text(struct covenant_line *line, const char *text, size_t most)
{
    size_t i;
    for (i = 0; i < most && text[i] != 0; i++)
        covenant_add(line, text[i]);
}

/* A number; real ones are told as their bits. */
static void covenant_convert(struct covenant_line *line, char kind, unsigned long long value)
{
    if (kind == 'd' && (long long)value < 0) {
        covenant_add(line, '-');
        value = 0 - value;
    }
    if (kind == 'x')
        covenant_add_hex(line, value);
    else
        covenant_add_decimal(line, value);
}

/* Those conversions of snprintf that tests use. */
static COVENANT_OPTIONAL __attribute__((format(printf, 3, 4))) int covenant_format(char *text, size_t room,
                                                                                   const char *format, ...)
{
    struct covenant_line line = { text, room, 0 };
    va_list list;
    va_start(list, format);
    for (; *format != 0; format++) {
        size_t most = (size_t)-1;
        int longs = 0, marked = 0;
        if (*format != '%') {
            covenant_add(&line, *format);
            continue;
        }
        for (format++; *format == '#' || *format == '.' || *format == 'l' || *format == '*' || (*format >= '0' && *format <= '9');
             format++) {
            if (*format == '#')
                marked = 1;
            else if (*format == '.')
                most = 0;
            else if (*format == 'l')
                longs++;
            else
                most = *format == '*' ? (size_t)va_arg(list, int) : most * 10 + (size_t)(*format - '0');
        }
        if (*format == 's') {
            covenant_add_text(&line, va_arg(list, const char *), most);
        } else if (*format == 'g') {
            double real = va_arg(list, double);
            unsigned long long bits = 0;
            covenant_copy(&bits, &real, sizeof real < sizeof bits ? sizeof real : sizeof bits);
            covenant_add_text(&line, "bits 0x", 7);
            covenant_add_hex(&line, bits);
        } else if (*format == 'p') {
            covenant_add_text(&line, "0x", 2);
            covenant_add_hex(&line, (unsigned long long)(size_t)va_arg(list, void *));
        } else {
            unsigned long long value;
            if (marked)
                covenant_add_text(&line, "0x", 2);
            if (longs > 1)
                value = va_arg(list, unsigned long long);
            else if (longs == 1)
                value = *format == 'd' ? (unsigned long long)va_arg(list, long) : va_arg(list, unsigned long);
            else
                value = *format == 'd' ? (unsigned long long)va_arg(list, int) : va_arg(list, unsigned);
            covenant_convert(&line, *format, value);
        }
    }
    va_end(list);
    if (room > 0)
        text[line.size] = 0;
    return (int)line.size;
}

#undef snprintf
#define snprintf covenant_format
#undef memcpy
#define memcpy covenant_copy
#undef memset
#define memset covenant_fill
#undef memcmp
#define memcmp covenant_compare
#undef strlen
#define strlen covenant_length

static void covenant_say(const char *text)
{
    for (; *text != 0; text++)
        covenant_putchar(*text == '\n' || *text == '\r' ? ' ' : (unsigned char)*text);
}

static void covenant_say_number(unsigned number)
{
    char digits[24];
    covenant_format(digits, sizeof digits, " %u", number);
    covenant_say(digits);
}

static void covenant_begin(const char *function)
{
    static const char head[] = "COVENANT" COVENANT_SUITE;
    size_t i;
    covenant_current = covenant_failures = 0;
    for (i = COVENANT_STATES; i < sizeof covenant_results - 1; i++)
        covenant_results[i] = '?';
    for (i = 0; i < COVENANT_HEAD + COVENANT_DIGEST; i++)
        covenant_results[i] = (unsigned char)head[i];
    covenant_results[COVENANT_STATES - 2] = COVENANT_TESTS & 0xff;
    covenant_results[COVENANT_STATES - 1] = COVENANT_TESTS >> 8;
    covenant_say("covenant: begin ");
    covenant_say(function);
    covenant_say(" " COVENANT_SUITE);
    covenant_say_number(COVENANT_TESTS);
    covenant_putchar('\n');
}

/* The first failure of a test is its failure. */
static COVENANT_OPTIONAL void covenant_failed(int line, const char *text)
{
    if (covenant_is_failed)
        return;
    covenant_is_failed = 1;
    covenant_say("covenant: fail");
    covenant_say_number(covenant_current + 1);
    covenant_say(" line");
    covenant_say_number((unsigned)line);
    covenant_say(": ");
    covenant_say(text);
    covenant_putchar('\n');
}

#ifdef COVENANT_DEVICE_ROOM
const char *covenant_device_end(void);
#endif

static COVENANT_OPTIONAL void covenant_test(const char *name, void (*reset)(void), void (*test)(void))
{
    covenant_results[COVENANT_STATES + covenant_current] = '>';
    covenant_is_failed = 0;
    reset();
    test();
#ifdef COVENANT_DEVICE_ROOM
    (void)covenant_device_end();
#endif
    covenant_results[COVENANT_STATES + covenant_current] = covenant_is_failed ? '-' : '+';
    covenant_failures += (unsigned)covenant_is_failed;
    if (!covenant_is_failed) {
        covenant_say("covenant: pass");
        covenant_say_number(covenant_current + 1);
        covenant_say(" ");
        covenant_say(name);
        covenant_putchar('\n');
    }
    covenant_current++;
}

static int covenant_end(void)
{
    covenant_say("covenant: end");
    covenant_say_number(covenant_current);
    covenant_say_number(covenant_failures);
    covenant_putchar('\n');
    return (int)covenant_failures;
}

/* Nothing can go on: the test that runs stays begun. */
static COVENANT_OPTIONAL __attribute__((noreturn)) void covenant_stop(const char *why)
{
    covenant_say("covenant: stopped in");
    covenant_say_number(covenant_current + 1);
    covenant_say(": ");
    covenant_say(why);
    covenant_putchar('\n');
    for (;;) {
    }
}

#undef abort
#define abort() covenant_stop("a function that does not return was called")

/* Elsewhere the functions of device.c are the board's. */
#if defined COVENANT_DEVICE_ROOM && defined __ARM_ARCH_PROFILE && __ARM_ARCH_PROFILE == 'M' && __ARM_ARCH >= 7
#include "device_cortex_m.h"
#endif

#endif
