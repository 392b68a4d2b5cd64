// A JSON pretty-printer: parses standard input into a tree, prints it indented, counts the values.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NUL, BOOL, NUMBER, STRING, ARRAY, OBJECT };

struct value {
    enum kind kind;
    char *text; // of a string (raw) or a key
    double number;
    int truth;
    struct value *first, *next;
    char *key;
};

static int c;
static void advance(void) { c = getchar(); }
static void blank(void)
{
    while (isspace(c))
        advance();
}

static _Noreturn void die(const char *what)
{
    printf("error: %s near '%c'\n", what, c == EOF ? '$' : c);
    exit(1);
}

static char *string(void)
{
    size_t n = 0, cap = 8;
    char *s = malloc(cap);
    for (advance(); c != '"'; advance()) {
        if (c == EOF)
            die("open string");
        if (n + 3 > cap)
            s = realloc(s, cap *= 2);
        s[n++] = (char)c;
        if (c == '\\') {
            advance();
            s[n++] = (char)c;
        }
    }
    advance();
    s[n] = 0;
    return s;
}

static void literal(const char *rest)
{
    for (; *rest; rest++, advance())
        if (c != *rest)
            die("bad literal");
}

static struct value *parse(void);

static void members(struct value *v, int close)
{
    struct value **tail = &v->first;
    advance();
    blank();
    while (c != close) {
        char *key = NULL;
        if (close == '}') {
            if (c != '"')
                die("expected a key");
            key = string();
            blank();
            if (c != ':')
                die("expected :");
            advance();
        }
        *tail = parse();
        (*tail)->key = key;
        tail = &(*tail)->next;
        blank();
        if (c == ',') {
            advance();
            blank();
        } else if (c != close) {
            die("expected , or the end");
        }
    }
    advance();
}

static struct value *parse(void)
{
    struct value *v = calloc(1, sizeof *v);
    blank();
    if (c == '{') {
        v->kind = OBJECT;
        members(v, '}');
    } else if (c == '[') {
        v->kind = ARRAY;
        members(v, ']');
    } else if (c == '"') {
        v->kind = STRING;
        v->text = string();
    } else if (c == 't' || c == 'f') {
        v->kind = BOOL;
        v->truth = c == 't';
        literal(v->truth ? "true" : "false");
    } else if (c == 'n') {
        literal("null");
    } else if (c == '-' || isdigit(c)) {
        char buf[40];
        size_t n = 0;
        while (n < sizeof buf - 1 && (isdigit(c) || strchr("+-.eE", c))) {
            buf[n++] = (char)c;
            advance();
        }
        buf[n] = 0;
        v->kind = NUMBER;
        v->number = strtod(buf, NULL);
    } else {
        die("unexpected");
    }
    return v;
}

static int print(const struct value *v, int depth)
{
    int count = 1;
    switch (v->kind) {
    case NUL: printf("null"); break;
    case BOOL: printf(v->truth ? "true" : "false"); break;
    case NUMBER: printf("%.12g", v->number); break;
    case STRING: printf("\"%s\"", v->text); break;
    case ARRAY:
    case OBJECT:
        putchar(v->kind == ARRAY ? '[' : '{');
        for (const struct value *e = v->first; e; e = e->next) {
            printf("\n%*s", depth * 2 + 2, "");
            if (e->key)
                printf("\"%s\": ", e->key);
            count += print(e, depth + 1);
            if (e->next)
                putchar(',');
        }
        if (v->first)
            printf("\n%*s", depth * 2, "");
        putchar(v->kind == ARRAY ? ']' : '}');
    }
    return count;
}

static void drop(struct value *v)
{
    while (v) {
        struct value *next = v->next;
        drop(v->first);
        free(v->text);
        free(v->key);
        free(v);
        v = next;
    }
}

int main(void)
{
    advance();
    struct value *v = parse();
    int n = print(v, 0);
    putchar('\n');
    drop(v);
    blank();
    if (c != EOF)
        die("text after the value");
    return n;
}
