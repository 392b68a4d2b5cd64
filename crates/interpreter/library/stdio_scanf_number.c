/* stdio.h: how scanf collects the characters of a number. What it takes is what glibc takes, which at a few places is
 * more than the number: after 0x without digits the x is gone, and 1e loses its e. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

int __lib_source_get(struct source *source) {
    int c;
    if (source->stream != NULL) {
        c = getc(source->stream);
    } else {
        c = *source->text == '\0' ? EOF : (unsigned char)*source->text++;
    }
    if (c != EOF) source->taken++;
    return c;
}

void __lib_source_unget(struct source *source, int c) {
    if (c == EOF) return;
    source->taken--;
    if (source->stream != NULL) {
        ungetc(c, source->stream);
    } else {
        source->text--;
    }
}

/* Keeps the bytes terminated, so that strtol and strtod can read them. */
void __lib_scan_append(struct scan_text *text, char c) {
    if (text->length + 1 >= text->capacity) {
        size_t capacity = 2 * text->capacity + 32;
        char *grown = realloc(text->bytes, capacity);
        if (grown == NULL) return;
        text->bytes = grown;
        text->capacity = capacity;
    }
    text->bytes[text->length++] = c;
    text->bytes[text->length] = '\0';
}

void __lib_scan_release(struct scan_text *text) { free(text->bytes); }

/* A field: a source of which at most `left` more characters may be taken (-1: any number). `c` is the character that
 * was read and not yet used. */
struct field {
    struct source *source;
    struct scan_text *text;
    int left;
    int c;
};

static bool has_room(const struct field *field) { return field->left != 0; }

/* Uses c and reads the next character; past the width it still reads one, which the caller gives back. */
static void skip(struct field *field) {
    if (field->left > 0) field->left--;
    field->c = __lib_source_get(field->source);
}

static void use(struct field *field) {
    __lib_scan_append(field->text, (char)field->c);
    skip(field);
}

static struct field open_field(struct source *source, struct scan_text *text, int width) {
    return (struct field){.source = source, .text = text, .left = width, .c = __lib_source_get(source)};
}

static bool accept_nil(struct field *field) {
    static const char rest[] = "nil)";
    if (field->c != '(' || (field->left >= 0 && field->left < 5)) return false;
    for (int i = 0; rest[i] != '\0'; i++) {
        skip(field);
        if (to_lower(field->c) != rest[i]) return false;
    }
    field->c = EOF;
    __lib_scan_append(field->text, '0');
    return true;
}

bool __lib_scan_integer(struct source *source, struct scan_text *text, int width, int *base, bool pointer) {
    struct field field = open_field(source, text, width);
    size_t sign = 0;
    if ((int)(field.c == '-') | (int)(field.c == '+')) {
        use(&field);
        sign = 1;
    }
    if ((*base == 0 || *base == 16) && has_room(&field) && field.c == '0') {
        use(&field);
        if (has_room(&field) && to_lower(field.c) == 'x' && (*base == 0 || *base == 16)) {
            *base = 16;
            skip(&field);
        } else if (*base == 0) {
            *base = 8;
        }
    }
    if (*base == 0) *base = 10;
    while (has_room(&field) && field.c != EOF && digit_in(field.c, *base) >= 0) use(&field);
    bool found = text->length > sign;
    if (!found && pointer && text->length == 0) found = accept_nil(&field);
    __lib_source_unget(source, field.c);
    return found;
}

/* The letters of a word from c on, all of them or none that would match. */
static bool use_word(struct field *field, const char *word) {
    for (; *word != '\0'; word++) {
        if (!has_room(field) || field->c == EOF || to_lower(field->c) != *word) return false;
        use(field);
    }
    return true;
}

static bool scan_special(struct field *field) {
    if (to_lower(field->c) == 'n') return use_word(field, "nan");
    if (!use_word(field, "inf")) return false;
    if (has_room(field) && to_lower(field->c) == 'i') return use_word(field, "inity");
    return true;
}

static bool scan_digits(struct field *field, bool hex, bool got_digit, size_t empty) {
    bool dot = false;
    bool exponent = false;
    size_t exponent_end = 0;
    int letter = hex ? 'p' : 'e';
    for (; has_room(field) && field->c != EOF; use(field)) {
        int c = field->c;
        if (is_digit(c) || (hex && !exponent && digit_value(c) < 16)) {
            got_digit = true;
        } else if (exponent && field->text->length == exponent_end && (c == '-' || c == '+')) {
            continue;
        } else if (got_digit && !exponent && to_lower(c) == letter) {
            exponent = true;
            dot = true;
            exponent_end = field->text->length + 1;
        } else if (c == '.' && !dot) {
            dot = true;
        } else {
            break;
        }
    }
    return field->text->length > empty;
}

bool __lib_scan_real(struct source *source, struct scan_text *text, int width) {
    struct field field = open_field(source, text, width);
    if (field.c == '-' || field.c == '+') use(&field);
    bool found;
    if (has_room(&field) && (to_lower(field.c) == 'n' || to_lower(field.c) == 'i')) {
        found = scan_special(&field);
    } else {
        bool hex = false;
        bool got_digit = false;
        if (has_room(&field) && field.c == '0') {
            use(&field);
            got_digit = true;
            /* Not when the width ends with the x. */
            if (has_room(&field) && field.left != 1 && to_lower(field.c) == 'x') {
                use(&field);
                hex = true;
                got_digit = false;
            }
        }
        size_t empty = hex ? text->length : 0;
        found = scan_digits(&field, hex, got_digit, empty);
    }
    __lib_source_unget(source, field.c);
    return found;
}
