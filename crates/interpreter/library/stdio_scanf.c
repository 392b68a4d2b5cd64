/* stdio.h: the format language of scanf. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "internal.h"

struct scan_spec {
    bool suppress;
    bool allocate;
    int index; /* the number before `$`, or 0 */
    int width; /* -1: none given */
    enum { SCAN_HH, SCAN_H, SCAN_INT, SCAN_L, SCAN_J, SCAN_LL } length;
    char conversion;
    bool members[256]; /* of a %[ */
};

/* How a directive ends: go on, the input does not match, the input is at its end. */
enum outcome { MATCHED, MISMATCH, INPUT_END };

struct scanner {
    struct source *source;
    struct arguments *arguments;
    va_list *start;
    int done;
};

static int parse_number(const char **format) {
    int value = 0;
    for (; is_digit(**format); ++*format) {
        int digit = **format - '0';
        value = value > (INT_MAX - digit) / 10 ? INT_MAX : value * 10 + digit;
    }
    return value;
}

static void parse_length(const char **format, struct scan_spec *spec) {
    spec->length = SCAN_INT;
    switch (**format) {
        case 'h':
            ++*format;
            spec->length = SCAN_H;
            if (**format == 'h') {
                ++*format;
                spec->length = SCAN_HH;
            }
            break;
        case 'l':
            ++*format;
            spec->length = SCAN_L;
            if (**format == 'l') {
                ++*format;
                spec->length = SCAN_LL;
            }
            break;
        case 'L':
        case 'q':
            ++*format;
            spec->length = SCAN_LL;
            break;
        case 'j':
            ++*format;
            spec->length = SCAN_J;
            break;
        case 'z':
        case 't':
            ++*format;
            spec->length = SCAN_L;
            break;
        default: break;
    }
}

/* From after the `[` to after the `]`. A range includes its left end only when it is not above its right end. */
static bool parse_set(const char **format, struct scan_spec *spec) {
    const char *at = *format;
    bool inverted = *at == '^';
    if (inverted) at++;
    memset(spec->members, inverted, sizeof spec->members);
    const char *first = at;
    for (; *at != ']' || at == first; at++) {
        if (*at == '\0') return false;
        unsigned char c = (unsigned char)*at;
        bool range = c == '-' && at > first && at[1] != '\0' && at[1] != ']' &&
                     (unsigned char)at[-1] <= (unsigned char)at[1];
        if (range) {
            for (int i = (unsigned char)at[-1]; i < (unsigned char)at[1]; i++) spec->members[i] = !inverted;
        } else {
            spec->members[c] = !inverted;
        }
    }
    *format = at + 1;
    return true;
}

static bool parse(const char **format, struct scan_spec *spec) {
    spec->suppress = false;
    spec->allocate = false;
    spec->index = 0;
    spec->width = -1;
    if (is_digit(**format)) {
        int number = parse_number(format);
        if (**format == '$') {
            ++*format;
            spec->index = number;
        } else {
            spec->width = number;
        }
    }
    if (spec->width < 0) {
        for (; **format == '*' || **format == '\'' || **format == 'I'; ++*format) {
            if (**format == '*') spec->suppress = true;
        }
        if (is_digit(**format)) spec->width = parse_number(format);
    }
    if (spec->width == 0) spec->width = -1;
    if (**format == 'm') {
        ++*format;
        spec->allocate = true;
    }
    parse_length(format, spec);
    spec->conversion = **format;
    if (spec->conversion == '\0') return false;
    ++*format;
    return spec->conversion != '[' || parse_set(format, spec);
}

static void *target(struct scanner *scanner, const struct scan_spec *spec) {
    if (spec->index == 0) return va_arg(scanner->arguments->list, void *);
    struct arguments again;
    va_copy(again.list, *scanner->start);
    void *pointer = NULL;
    for (int i = 0; i < spec->index; i++) pointer = va_arg(again.list, void *);
    va_end(again.list);
    return pointer;
}

static void skip_space(struct source *source) {
    int c;
    do {
        c = __lib_source_get(source);
    } while (c != EOF && is_space(c));
    __lib_source_unget(source, c);
}

static bool at_end(struct source *source) {
    int c = __lib_source_get(source);
    __lib_source_unget(source, c);
    return c == EOF;
}

static void store_integer(void *to, const struct scan_spec *spec, uint64_t value) {
    switch (spec->length) {
        case SCAN_HH: *(unsigned char *)to = (unsigned char)value; break;
        case SCAN_H: *(unsigned short *)to = (unsigned short)value; break;
        case SCAN_INT: *(unsigned *)to = (unsigned)value; break;
        case SCAN_L: *(unsigned long *)to = (unsigned long)value; break;
        default: *(unsigned long long *)to = value; break;
    }
}

static enum outcome scan_integer(struct scanner *scanner, const struct scan_spec *spec) {
    int base = 10;
    if (spec->conversion == 'i') base = 0;
    if (spec->conversion == 'o') base = 8;
    if (spec->conversion == 'x' || spec->conversion == 'X' || spec->conversion == 'p') base = 16;
    bool pointer = spec->conversion == 'p';
    bool is_signed = spec->conversion == 'd' || spec->conversion == 'i';
    struct scan_text text = {0};
    bool found = __lib_scan_integer(scanner->source, &text, spec->width, &base, pointer);
    uint64_t value = 0;
    if (found && spec->length <= SCAN_L) {
        value = is_signed ? (uint64_t)strtol(text.bytes, NULL, base) : strtoul(text.bytes, NULL, base);
    } else if (found) {
        value = is_signed ? (uint64_t)strtoll(text.bytes, NULL, base) : strtoull(text.bytes, NULL, base);
    }
    if (found && !spec->suppress) {
        void *to = target(scanner, spec);
        if (pointer) {
            *(void **)to = (void *)value;
        } else {
            store_integer(to, spec, value);
        }
        scanner->done++;
    }
    __lib_scan_release(&text);
    return found ? MATCHED : MISMATCH;
}

static enum outcome scan_real(struct scanner *scanner, const struct scan_spec *spec) {
    struct scan_text text = {0};
    bool found = __lib_scan_real(scanner->source, &text, spec->width);
    char *end = text.bytes;
    if (found && spec->length == SCAN_LL) {
        long double value = strtold(text.bytes, &end);
        if (end != text.bytes && !spec->suppress) *(long double *)target(scanner, spec) = value;
    } else if (found && spec->length == SCAN_L) {
        double value = strtod(text.bytes, &end);
        if (end != text.bytes && !spec->suppress) *(double *)target(scanner, spec) = value;
    } else if (found) {
        float value = strtof(text.bytes, &end);
        if (end != text.bytes && !spec->suppress) *(float *)target(scanner, spec) = value;
    }
    found = found && end != text.bytes;
    if (found && !spec->suppress) scanner->done++;
    __lib_scan_release(&text);
    return found ? MATCHED : MISMATCH;
}

/* Where the characters of %s, %[ and %c go: nowhere, to bytes, to wide characters, to memory that grows. */
struct text_target {
    char *bytes;
    wchar_t *wide;
    struct scan_text *grown;
    size_t count;
};

static void put_character(struct text_target *to, int c) {
    if (to->grown != NULL) {
        __lib_scan_append(to->grown, (char)c);
    } else if (to->wide != NULL) {
        to->wide[to->count] = c;
    } else if (to->bytes != NULL) {
        to->bytes[to->count] = (char)c;
    }
    to->count++;
}

/* The memory that %ms gives away: exactly the characters, with a terminator except for %mc. */
static void *give_away(const struct scan_text *text, bool wide, bool terminate) {
    size_t count = text->length + (terminate ? 1 : 0);
    if (!wide) {
        char *copy = malloc(count);
        if (copy != NULL) memcpy(copy, text->bytes, count);
        return copy;
    }
    wchar_t *copy = malloc(count * sizeof *copy);
    for (size_t i = 0; copy != NULL && i < count; i++) copy[i] = (unsigned char)text->bytes[i];
    return copy;
}

static bool belongs(const struct scan_spec *spec, int c) {
    switch (spec->conversion) {
        case 'c':
        case 'C': return true;
        case '[': return spec->members[c];
        default: return !is_space(c);
    }
}

static enum outcome scan_text(struct scanner *scanner, const struct scan_spec *spec) {
    bool single = spec->conversion == 'c' || spec->conversion == 'C';
    bool wide = spec->conversion == 'C' || spec->conversion == 'S' || spec->length == SCAN_L;
    int left = spec->width < 0 ? (single ? 1 : INT_MAX) : spec->width;
    struct scan_text grown = {0};
    struct text_target to = {0};
    void *pointer = spec->suppress ? NULL : target(scanner, spec);
    if (spec->suppress) {
        /* Characters are only counted. */
    } else if (spec->allocate) {
        to.grown = &grown;
    } else if (wide) {
        to.wide = pointer;
    } else {
        to.bytes = pointer;
    }
    for (; left > 0; left--) {
        int c = __lib_source_get(scanner->source);
        if (c == EOF) break;
        if (!belongs(spec, c)) {
            __lib_source_unget(scanner->source, c);
            break;
        }
        if (wide && c >= 0x80) {
            errno = EILSEQ;
            to.count = 0;
            break;
        }
        put_character(&to, c);
    }
    if (to.count == 0) {
        __lib_scan_release(&grown);
        return MISMATCH;
    }
    if (spec->suppress) return MATCHED;
    if (spec->allocate) {
        *(void **)pointer = give_away(&grown, wide, !single);
        __lib_scan_release(&grown);
    } else if (!single) {
        put_character(&to, '\0');
    }
    scanner->done++;
    return MATCHED;
}

static enum outcome scan_literal(struct scanner *scanner, char wanted) {
    int c = __lib_source_get(scanner->source);
    if (c == EOF) return INPUT_END;
    if (c == (unsigned char)wanted) return MATCHED;
    __lib_source_unget(scanner->source, c);
    return MISMATCH;
}

static enum outcome convert(struct scanner *scanner, const struct scan_spec *spec) {
    char conversion = spec->conversion;
    if (conversion == 'n') {
        if (!spec->suppress) store_integer(target(scanner, spec), spec, (uint64_t)scanner->source->taken);
        return MATCHED;
    }
    if (conversion != 'c' && conversion != 'C' && conversion != '[') skip_space(scanner->source);
    if (conversion == '%') return scan_literal(scanner, '%');
    if (strchr("diouxXpeEfFgGaAsScC[", conversion) == NULL) return MISMATCH;
    if (at_end(scanner->source)) return INPUT_END;
    switch (conversion) {
        case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'p':
            return scan_integer(scanner, spec);
        case 's': case 'S': case 'c': case 'C': case '[':
            return scan_text(scanner, spec);
        default:
            return scan_real(scanner, spec);
    }
}

static enum outcome scan_all(struct scanner *scanner, const char *format) {
    struct scan_spec spec;
    while (*format != '\0') {
        enum outcome outcome = MATCHED;
        if (is_space((unsigned char)*format)) {
            skip_space(scanner->source);
            format++;
        } else if (*format != '%') {
            outcome = scan_literal(scanner, *format++);
        } else {
            format++;
            outcome = parse(&format, &spec) ? convert(scanner, &spec) : MISMATCH;
        }
        if (outcome != MATCHED) return outcome;
    }
    return MATCHED;
}

int __lib_scan(struct source *source, const char *format, va_list list) {
    struct arguments arguments;
    struct arguments start;
    va_copy(arguments.list, list);
    va_copy(start.list, list);
    struct scanner scanner = {.source = source, .arguments = &arguments, .start = &start.list};
    enum outcome outcome = scan_all(&scanner, format);
    va_end(start.list);
    va_end(arguments.list);
    return outcome == INPUT_END && scanner.done == 0 ? EOF : scanner.done;
}
