/* stdio.h: where formatted characters go, and the layout of one conversion: sign, prefix, zeros, digits, padding. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static bool make_room(struct sink *sink, size_t length) {
    if (sink->total + length <= sink->capacity) return true;
    size_t capacity = 2 * (sink->total + length) + 64;
    char *grown = realloc(sink->memory, capacity);
    if (grown == NULL) {
        sink->failed = true;
        return false;
    }
    sink->memory = grown;
    sink->capacity = capacity - 1; /* the terminator's */
    return true;
}

void __lib_sink_put(struct sink *sink, const char *text, size_t length) {
    if (sink->failed || length == 0) return;
    if (sink->stream != NULL) {
        if (__lib_stream_write(sink->stream, text, length) != length) sink->failed = true;
    } else {
        if (sink->grows && !make_room(sink, length)) return;
        size_t room = sink->total < sink->capacity ? sink->capacity - sink->total : 0;
        memcpy(sink->memory + (room > 0 ? sink->total : 0), text, length < room ? length : room);
    }
    sink->total += length;
}

void __lib_sink_pad(struct sink *sink, char c, long count) {
    if (sink->failed || count <= 0) return;
    size_t length = (size_t)count;
    if (sink->stream == NULL) {
        if (sink->grows && !make_room(sink, length)) return;
        size_t room = sink->total < sink->capacity ? sink->capacity - sink->total : 0;
        memset(sink->memory + (room > 0 ? sink->total : 0), c, length < room ? length : room);
        sink->total += length;
        return;
    }
    char block[16];
    memset(block, c, sizeof block);
    while (length > 0 && !sink->failed) {
        size_t part = length < sizeof block ? length : sizeof block;
        __lib_sink_put(sink, block, part);
        length -= part;
    }
}

void __lib_format_text(struct sink *sink, const struct spec *spec, const char *text, size_t length) {
    long padding = (long)spec->width - (long)length;
    if (!spec->left) __lib_sink_pad(sink, ' ', padding);
    __lib_sink_put(sink, text, length);
    if (spec->left) __lib_sink_pad(sink, ' ', padding);
}

/* prefix (sign, 0x), zeros, body; zero padding goes between prefix and body. */
static void lay_out(struct sink *sink, const struct spec *spec, bool zero_pad, const char *prefix,
                    size_t prefix_length, long zeros, const char *body, size_t length) {
    if (zeros < 0) zeros = 0;
    long padding = (long)spec->width - (long)prefix_length - zeros - (long)length;
    if (!spec->left && zero_pad && padding > 0) {
        zeros += padding;
        padding = 0;
    }
    if (!spec->left) __lib_sink_pad(sink, ' ', padding);
    __lib_sink_put(sink, prefix, prefix_length);
    __lib_sink_pad(sink, '0', zeros);
    __lib_sink_put(sink, body, length);
    if (spec->left) __lib_sink_pad(sink, ' ', padding);
}

static unsigned base_of(char conversion) {
    switch (conversion) {
        case 'o': return 8;
        case 'x':
        case 'X':
        case 'p': return 16;
        case 'b':
        case 'B': return 2;
        default: return 10;
    }
}

void __lib_format_integer(struct sink *sink, const struct spec *spec, bool negative, uint64_t magnitude) {
    char digits[64];
    char *end = digits + sizeof digits;
    char *start = end;
    unsigned base = base_of(spec->conversion);
    const char *alphabet = spec->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    for (uint64_t rest = magnitude; rest != 0; rest /= base) *--start = alphabet[rest % base];
    size_t length = (size_t)(end - start);

    long zeros = (spec->precision < 0 ? 1 : (long)spec->precision) - (long)length;
    if (base == 8 && spec->alternate && zeros <= 0) zeros = 1;

    char prefix[3];
    size_t prefix_length = 0;
    bool is_signed = spec->conversion == 'd' || spec->conversion == 'i' || spec->conversion == 'p';
    if (negative) {
        prefix[prefix_length++] = '-';
    } else if (spec->plus && is_signed) {
        prefix[prefix_length++] = '+';
    } else if (spec->space && is_signed) {
        prefix[prefix_length++] = ' ';
    }
    if (spec->alternate && (base == 16 || base == 2) && magnitude != 0) {
        prefix[prefix_length++] = '0';
        prefix[prefix_length++] = spec->conversion == 'p' ? 'x' : spec->conversion;
    }
    lay_out(sink, spec, spec->zero && spec->precision < 0, prefix, prefix_length, zeros, start, length);
}

/* text holds the digits that the machine gave. */
static void lay_out_float(struct sink *sink, const struct spec *spec, bool negative, bool finite, char *text,
                          size_t length) {
    bool upper = spec->conversion >= 'A' && spec->conversion <= 'Z';
    for (size_t i = 0; upper && i < length; i++) text[i] = (char)to_upper((unsigned char)text[i]);
    char prefix[3];
    size_t prefix_length = 0;
    if (negative) {
        prefix[prefix_length++] = '-';
    } else if (spec->plus) {
        prefix[prefix_length++] = '+';
    } else if (spec->space) {
        prefix[prefix_length++] = ' ';
    }
    bool hex = finite && to_lower(spec->conversion) == 'a' && length > 2;
    if (hex) {
        prefix[prefix_length++] = text[0];
        prefix[prefix_length++] = text[1];
        text += 2;
        length -= 2;
    }
    lay_out(sink, spec, spec->zero && finite, prefix, prefix_length, 0, text, length);
}

static void format_special(struct sink *sink, const struct spec *spec, bool negative, bool nan) {
    char text[3];
    memcpy(text, nan ? "nan" : "inf", 3);
    lay_out_float(sink, spec, negative, false, text, 3);
}

void __lib_format_float(struct sink *sink, const struct spec *spec, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bool negative = bits >> 63 != 0;
    if (value != value || value - value != 0) {
        format_special(sink, spec, negative, value != value);
        return;
    }
    if (negative) value = -value;
    int conversion = to_lower(spec->conversion);
    char local[128];
    char *text = local;
    size_t length =
        __covenant_format_double(local, sizeof local, value, conversion, spec->precision, spec->alternate);
    if (length > sizeof local) {
        text = __lib_alloc(length);
        __covenant_format_double(text, length, value, conversion, spec->precision, spec->alternate);
    }
    lay_out_float(sink, spec, negative, true, text, length);
    if (text != local) __covenant_free(text);
}

#if __LDBL_MANT_DIG__ == 64
void __lib_format_long_double(struct sink *sink, const struct spec *spec, long double value) {
    uint16_t top;
    memcpy(&top, (const char *)&value + 8, sizeof top);
    bool negative = top >> 15 != 0;
    if (value != value || value - value != 0) {
        format_special(sink, spec, negative, value != value);
        return;
    }
    if (negative) value = -value;
    int conversion = to_lower(spec->conversion);
    char local[128];
    char *text = local;
    size_t length =
        __covenant_format_long_double(local, sizeof local, &value, conversion, spec->precision, spec->alternate);
    if (length > sizeof local) {
        text = __lib_alloc(length);
        __covenant_format_long_double(text, length, &value, conversion, spec->precision, spec->alternate);
    }
    lay_out_float(sink, spec, negative, true, text, length);
    if (text != local) __covenant_free(text);
}
#else
void __lib_format_long_double(struct sink *sink, const struct spec *spec, long double value) {
    __lib_format_float(sink, spec, (double)value);
}
#endif
