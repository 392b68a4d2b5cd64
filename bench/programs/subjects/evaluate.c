// Evaluates an expression whose words are the arguments, as expr does.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value {
    int is_number;
    long number;
    char text[32];
};

static char **words;
static int word;

static void die(const char *problem)
{
    fprintf(stderr, "evaluate: %s\n", problem);
    exit(2);
}

static int next_is(const char *text)
{
    if (words[word] == NULL || strcmp(words[word], text) != 0)
        return 0;
    word++;
    return 1;
}

static int is_integer(const char *text)
{
    if (*text == '-')
        text++;
    if (*text == '\0')
        return 0;
    for (; *text != '\0'; text++) {
        if (!isdigit((unsigned char)*text))
            return 0;
    }
    return 1;
}

static struct value of_number(long number)
{
    struct value value = {1, number, ""};
    return value;
}

static struct value of_text(const char *text)
{
    struct value value = {0, 0, ""};
    strncpy(value.text, text, sizeof value.text - 1);
    if (is_integer(text)) {
        value.is_number = 1;
        value.number = atol(text);
    }
    return value;
}

static int is_null(const struct value *value)
{
    return value->is_number ? value->number == 0 : value->text[0] == '\0';
}

static long number_of(const struct value *value)
{
    if (!value->is_number)
        die("not a number");
    return value->number;
}

static struct value disjunction(void);

static struct value primary(void)
{
    if (words[word] == NULL)
        die("something is missing");
    if (next_is("(")) {
        struct value value = disjunction();
        if (!next_is(")"))
            die("no closing bracket");
        return value;
    }
    if (next_is("length")) {
        if (words[word] == NULL)
            die("length of what?");
        return of_number((long)strlen(words[word++]));
    }
    return of_text(words[word++]);
}

static struct value product(void)
{
    struct value left = primary();
    for (;;) {
        if (next_is("x")) {
            struct value right = primary();
            left = of_number(number_of(&left) * number_of(&right));
        } else if (next_is("/")) {
            struct value right = primary();
            if (number_of(&right) == 0)
                die("division by zero");
            left = of_number(number_of(&left) / number_of(&right));
        } else if (next_is("%")) {
            struct value right = primary();
            if (number_of(&right) == 0)
                die("remainder of a division by zero");
            left = of_number(number_of(&left) % number_of(&right));
        } else {
            return left;
        }
    }
}

static struct value sum(void)
{
    struct value left = product();
    for (;;) {
        if (next_is("+")) {
            struct value right = product();
            left = of_number(number_of(&left) + number_of(&right));
        } else if (next_is("-")) {
            struct value right = product();
            left = of_number(number_of(&left) - number_of(&right));
        } else {
            return left;
        }
    }
}

static struct value comparison(void)
{
    struct value left = sum();
    int less = next_is("<"), equal = !less && next_is("=");
    if (less || equal) {
        struct value right = sum();
        int order;
        if (left.is_number && right.is_number)
            order = (left.number > right.number) - (left.number < right.number);
        else
            order = strcmp(left.text, right.text);
        return of_number(less ? order < 0 : order == 0);
    }
    return left;
}

static struct value conjunction(void)
{
    struct value left = comparison();
    while (next_is("and")) {
        struct value right = comparison();
        if (is_null(&left) || is_null(&right))
            left = of_number(0);
    }
    return left;
}

static struct value disjunction(void)
{
    struct value left = conjunction();
    while (next_is("or")) {
        struct value right = conjunction();
        if (is_null(&left))
            left = right;
    }
    return left;
}

int main(int argc, char **argv)
{
    struct value value;
    if (argc < 2)
        die("nothing to evaluate");
    words = argv + 1;
    value = disjunction();
    if (words[word] != NULL)
        die("too much");
    if (value.is_number)
        printf("%ld\n", value.number);
    else
        puts(value.text);
    return is_null(&value);
}
