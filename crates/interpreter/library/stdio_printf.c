/* stdio.h: the format language of printf. The parsing of one conversion is apart from fetching its argument, so that
 * %d and %2$d share everything else. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "internal.h"

enum argument_type { TYPE_NONE, TYPE_INT, TYPE_LONG, TYPE_LONG_LONG, TYPE_POINTER, TYPE_DOUBLE, TYPE_LONG_DOUBLE };

union argument {
    int i;
    long long l;
    void *p;
    double d;
    long double ld;
};

/* A conversion as written. An index is the number before `$`, 0 for the next argument; width and precision have one
 * only when they are `*`, otherwise it is -1. */
struct parsed {
    struct spec spec;
    bool group;
    int index;
    int width_index;
    int precision_index;
    enum { PARSED, INCOMPLETE, TOO_LARGE } outcome;
};

/* A decimal number, or -1 when it does not fit. */
static int parse_number(const char **format) {
    int value = 0;
    for (; is_digit(**format); ++*format) {
        int digit = **format - '0';
        if (value >= 0 && value > (INT_MAX - digit) / 10) value = -1;
        if (value >= 0) value = value * 10 + digit;
    }
    return value;
}

/* The `n$` at format, which is then skipped, or 0. */
static int parse_index(const char **format) {
    const char *at = *format;
    if (!is_digit(*at) || *at == '0') return 0;
    int value = parse_number(&at);
    if (*at != '$' || value < 0) return 0;
    *format = at + 1;
    return value;
}

static void parse_flags(const char **format, struct parsed *parsed) {
    for (;; ++*format) {
        switch (**format) {
            case '-': parsed->spec.left = true; break;
            case '+': parsed->spec.plus = true; break;
            case ' ': parsed->spec.space = true; break;
            case '#': parsed->spec.alternate = true; break;
            case '0': parsed->spec.zero = true; break;
            case '\'': parsed->group = true; break;
            case 'I': break;
            default: return;
        }
        /* A minus that is written (not one that comes with a width) takes the zeros away. */
        if (parsed->spec.left) parsed->spec.zero = false;
    }
}

static void parse_length(const char **format, struct spec *spec) {
    switch (**format) {
        case 'h':
            ++*format;
            spec->length = LENGTH_H;
            if (**format == 'h') {
                ++*format;
                spec->length = LENGTH_HH;
            }
            break;
        case 'l':
            ++*format;
            spec->length = LENGTH_L;
            if (**format == 'l') {
                ++*format;
                spec->length = LENGTH_LL;
            }
            break;
        case 'L':
        case 'q':
            ++*format;
            spec->length = LENGTH_LL;
            break;
        case 'j':
            ++*format;
            spec->length = LENGTH_J;
            break;
        case 'z':
        case 'Z':
        case 't':
            ++*format;
            spec->length = LENGTH_L;
            break;
        default: break;
    }
}

/* Reads a conversion from after its `%` on. */
static struct parsed parse(const char **format) {
    struct parsed parsed = {.spec = {.precision = -1}, .width_index = -1, .precision_index = -1};
    parsed.index = parse_index(format);
    parse_flags(format, &parsed);
    if (**format == '*') {
        ++*format;
        parsed.width_index = parse_index(format);
    } else {
        parsed.spec.width = parse_number(format);
    }
    if (**format == '.') {
        ++*format;
        if (**format == '*') {
            ++*format;
            parsed.precision_index = parse_index(format);
        } else {
            parsed.spec.precision = parse_number(format);
            if (parsed.spec.precision < 0) parsed.outcome = TOO_LARGE;
        }
    }
    if (parsed.spec.width < 0) parsed.outcome = TOO_LARGE;
    parse_length(format, &parsed.spec);
    parsed.spec.conversion = **format;
    if (**format == '\0') {
        if (parsed.outcome == PARSED) parsed.outcome = INCOMPLETE;
    } else {
        ++*format;
    }
    return parsed;
}

static enum argument_type type_of(const struct spec *spec) {
    switch (spec->conversion) {
        case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'b': case 'B':
            if (spec->length < LENGTH_L) return TYPE_INT;
            return spec->length == LENGTH_L ? TYPE_LONG : TYPE_LONG_LONG;
        case 'c': case 'C':
            return TYPE_INT;
        case 's': case 'S': case 'p': case 'n':
            return TYPE_POINTER;
        case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
            return spec->length == LENGTH_LL ? TYPE_LONG_DOUBLE : TYPE_DOUBLE;
        default:
            return TYPE_NONE;
    }
}

/* Arguments in order of their use, or, once a format has an `n$`, all of them at hand. */
struct reader {
    struct arguments *arguments;
    union argument *all;
    int count;
    int next;
};

static union argument load(struct arguments *arguments, enum argument_type type) {
    union argument value = {0};
    switch (type) {
        case TYPE_LONG: value.l = va_arg(arguments->list, long); break;
        case TYPE_LONG_LONG: value.l = va_arg(arguments->list, long long); break;
        case TYPE_POINTER: value.p = va_arg(arguments->list, void *); break;
        case TYPE_DOUBLE: value.d = va_arg(arguments->list, double); break;
        case TYPE_LONG_DOUBLE: value.ld = va_arg(arguments->list, long double); break;
        default: value.i = va_arg(arguments->list, int); break;
    }
    return value;
}

static union argument take(struct reader *reader, int index, enum argument_type type) {
    if (reader->all == NULL) return load(reader->arguments, type);
    int place = index > 0 ? index - 1 : reader->next++;
    return place < reader->count ? reader->all[place] : (union argument){0};
}

/* Goes through a format and notes the type of each numbered argument; the highest number used. With types == NULL it
 * only looks. */
static int survey(const char *format, enum argument_type *types) {
    int highest = 0;
    int next = 0;
    while (*format != '\0') {
        if (*format++ != '%') continue;
        struct parsed parsed = parse(&format);
        struct {
            int index;
            enum argument_type type;
        } uses[3] = {
            {parsed.width_index, TYPE_INT},
            {parsed.precision_index, TYPE_INT},
            {parsed.index, type_of(&parsed.spec)},
        };
        for (int i = 0; i < 3; i++) {
            if (uses[i].index < 0 || uses[i].type == TYPE_NONE) continue;
            int place = uses[i].index > 0 ? uses[i].index : ++next;
            if (place > highest) highest = place;
            if (types != NULL) types[place - 1] = uses[i].type;
        }
    }
    return highest;
}

static bool has_numbered(const char *format) {
    if (strchr(format, '$') == NULL) return false;
    while (*format != '\0') {
        if (*format++ != '%') continue;
        struct parsed parsed = parse(&format);
        if (parsed.index > 0 || parsed.width_index > 0 || parsed.precision_index > 0) return true;
    }
    return false;
}

static bool load_all(struct reader *reader, const char *format) {
    reader->count = survey(format, NULL);
    if (reader->count > NL_ARGMAX) {
        errno = EOVERFLOW;
        return false;
    }
    enum argument_type *types = calloc((size_t)reader->count, sizeof *types);
    reader->all = calloc((size_t)reader->count, sizeof *reader->all);
    if (types == NULL || reader->all == NULL) return false;
    survey(format, types);
    for (int i = 0; i < reader->count; i++) reader->all[i] = load(reader->arguments, types[i]);
    free(types);
    return true;
}

/* The conversions. Each returns false when the output ends with an error, errno set. */

static bool convert_integer(struct sink *sink, const struct spec *spec, union argument value) {
    bool is_signed = spec->conversion == 'd' || spec->conversion == 'i';
    long long number = spec->length >= LENGTH_L ? value.l : value.i;
    if (is_signed) {
        if (spec->length == LENGTH_H) number = (short)number;
        if (spec->length == LENGTH_HH) number = (signed char)number;
        uint64_t magnitude = number < 0 ? -(uint64_t)number : (uint64_t)number;
        __lib_format_integer(sink, spec, number < 0, magnitude);
        return true;
    }
    uint64_t bits = (uint64_t)number;
    if (spec->length == LENGTH_L) bits = (unsigned long)number;
    if (spec->length == LENGTH_NONE) bits = (unsigned)number;
    if (spec->length == LENGTH_H) bits = (unsigned short)number;
    if (spec->length == LENGTH_HH) bits = (unsigned char)number;
    __lib_format_integer(sink, spec, false, bits);
    return true;
}

static bool convert_wide(struct sink *sink, const struct spec *spec, const wchar_t *text, size_t limit) {
    size_t length = 0;
    for (; length < limit && text[length] != 0; length++) {
        if (text[length] < 0 || text[length] >= 0x80) {
            errno = EILSEQ;
            return false;
        }
    }
    long padding = (long)spec->width - (long)length;
    if (!spec->left) __lib_sink_pad(sink, ' ', padding);
    for (size_t i = 0; i < length; i++) {
        char c = (char)text[i];
        __lib_sink_put(sink, &c, 1);
    }
    if (spec->left) __lib_sink_pad(sink, ' ', padding);
    return true;
}

static bool convert_string(struct sink *sink, const struct spec *spec, const void *text) {
    size_t limit = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision;
    bool wide = spec->conversion == 'S' || spec->length >= LENGTH_L;
    if (text == NULL) {
        __lib_format_text(sink, spec, "(null)", limit < 6 ? 0 : 6);
        return true;
    }
    if (wide) return convert_wide(sink, spec, text, limit);
    const char *bytes = text;
    size_t length = 0;
    while (length < limit && bytes[length] != '\0') length++;
    __lib_format_text(sink, spec, bytes, length);
    return true;
}

static bool convert_character(struct sink *sink, const struct spec *spec, int c) {
    bool wide = spec->conversion == 'C' || spec->length >= LENGTH_L;
    if (wide && (c < 0 || c >= 0x80)) {
        errno = EILSEQ;
        return false;
    }
    char byte = (char)c;
    __lib_format_text(sink, spec, &byte, 1);
    return true;
}

static bool convert_pointer(struct sink *sink, const struct spec *spec, void *pointer) {
    if (pointer == NULL) {
        __lib_format_text(sink, spec, "(nil)", 5);
        return true;
    }
    struct spec hex = *spec;
    hex.alternate = true;
    __lib_format_integer(sink, &hex, false, (uintptr_t)pointer);
    return true;
}

static bool store_count(const struct sink *sink, const struct spec *spec, void *to) {
    switch (spec->length) {
        case LENGTH_HH: *(signed char *)to = (signed char)sink->total; break;
        case LENGTH_H: *(short *)to = (short)sink->total; break;
        case LENGTH_NONE: *(int *)to = (int)sink->total; break;
        case LENGTH_L: *(long *)to = (long)sink->total; break;
        default: *(long long *)to = (long long)sink->total; break;
    }
    return true;
}

/* A conversion that there is none for is written as it was read. */
static bool convert_unknown(struct sink *sink, const struct parsed *parsed) {
    const struct spec *spec = &parsed->spec;
    char text[48];
    size_t length = 0;
    text[length++] = '%';
    if (spec->alternate) text[length++] = '#';
    if (parsed->group) text[length++] = '\'';
    if (spec->plus) {
        text[length++] = '+';
    } else if (spec->space) {
        text[length++] = ' ';
    }
    if (spec->left) text[length++] = '-';
    if (spec->zero) text[length++] = '0';
    if (spec->width != 0) length += (size_t)snprintf(text + length, 12, "%d", spec->width);
    if (spec->precision >= 0) length += (size_t)snprintf(text + length, 13, ".%d", spec->precision);
    text[length++] = spec->conversion;
    __lib_sink_put(sink, text, length);
    return true;
}

static bool convert(struct sink *sink, const struct parsed *parsed, struct reader *reader) {
    const struct spec *spec = &parsed->spec;
    enum argument_type type = type_of(spec);
    union argument value = {0};
    if (type != TYPE_NONE) value = take(reader, parsed->index, type);
    switch (spec->conversion) {
        case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'b': case 'B':
            return convert_integer(sink, spec, value);
        case 'c': case 'C':
            return convert_character(sink, spec, value.i);
        case 's': case 'S':
            return convert_string(sink, spec, value.p);
        case 'p':
            return convert_pointer(sink, spec, value.p);
        case 'n':
            return store_count(sink, spec, value.p);
        case 'm':
            return convert_string(sink, &(struct spec){.left = spec->left, .width = spec->width,
                                                       .precision = spec->precision}, strerror(errno));
        case '%':
            __lib_sink_put(sink, "%", 1);
            return true;
        case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
            if (type == TYPE_LONG_DOUBLE) {
                __lib_format_long_double(sink, spec, value.ld);
            } else {
                __lib_format_float(sink, spec, value.d);
            }
            return true;
        default:
            return convert_unknown(sink, parsed);
    }
}

/* Width and precision that are arguments. */
static bool fetch_sizes(struct parsed *parsed, struct reader *reader) {
    if (parsed->width_index >= 0) {
        int width = take(reader, parsed->width_index, TYPE_INT).i;
        if (width == INT_MIN) {
            errno = EOVERFLOW;
            return false;
        }
        if (width < 0) parsed->spec.left = true;
        parsed->spec.width = width < 0 ? -width : width;
    }
    if (parsed->precision_index >= 0) {
        int precision = take(reader, parsed->precision_index, TYPE_INT).i;
        parsed->spec.precision = precision < 0 ? -1 : precision;
    }
    return true;
}

static bool format_all(struct sink *sink, const char *format, struct reader *reader) {
    while (*format != '\0') {
        size_t literal = 0;
        while (format[literal] != '\0' && format[literal] != '%') literal++;
        __lib_sink_put(sink, format, literal);
        format += literal;
        if (*format == '\0') break;
        format++;
        struct parsed parsed = parse(&format);
        if (parsed.outcome != PARSED) {
            errno = parsed.outcome == INCOMPLETE ? EINVAL : EOVERFLOW;
            return false;
        }
        if (!fetch_sizes(&parsed, reader) || !convert(sink, &parsed, reader)) return false;
        if (sink->total > INT_MAX) break;
    }
    if (sink->total > INT_MAX) {
        errno = EOVERFLOW;
        return false;
    }
    return true;
}

int __lib_format(struct sink *sink, const char *format, va_list list) {
    struct arguments arguments;
    va_copy(arguments.list, list);
    struct reader reader = {.arguments = &arguments};
    bool good = !has_numbered(format) || load_all(&reader, format);
    good = good && format_all(sink, format, &reader);
    free(reader.all);
    va_end(arguments.list);
    return good && !sink->failed ? (int)sink->total : -1;
}
