// A calculator on standard input: a line is an expression, or gives a value to a variable.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at;
static const char *problem;
static long variables[26];

static void skip(void)
{
    while (*at == ' ')
        at++;
}

static long expression(void);

static long give_up(const char *why)
{
    if (problem == NULL)
        problem = why;
    return 0;
}

static long atom(void)
{
    skip();
    if (isdigit((unsigned char)*at)) {
        char *end;
        long value = strtol(at, &end, 0);
        at = end;
        return value;
    }
    if (islower((unsigned char)*at))
        return variables[*at++ - 'a'];
    if (*at == '(') {
        long value;
        at++;
        value = expression();
        skip();
        if (*at != ')')
            return give_up("no closing bracket");
        at++;
        return value;
    }
    if (*at == '-') {
        at++;
        return -atom();
    }
    if (*at == '!') {
        at++;
        return atom() == 0;
    }
    return give_up(*at == '\0' ? "the line ends too early" : "what is this?");
}

static long power(void)
{
    long base = atom();
    skip();
    if (*at == '^') {
        long exponent, result = 1;
        at++;
        exponent = power();
        if (exponent < 0 || exponent > 16)
            return give_up("no such power");
        while (exponent-- > 0)
            result = (long)((unsigned long)result * (unsigned long)base);
        return result;
    }
    return base;
}

static long term(void)
{
    long left = power();
    for (;;) {
        char operator;
        long right;
        skip();
        operator = *at;
        if (operator != '*' && operator != '/' && operator != '%')
            return left;
        at++;
        right = power();
        if (operator == '*') {
            left = (long)((unsigned long)left * (unsigned long)right);
        } else if (right == 0) {
            return give_up("division by zero");
        } else if (right == -1) {
            left = operator == '/' ? (long)(0 - (unsigned long)left) : 0;
        } else {
            left = operator == '/' ? left / right : left % right;
        }
    }
}

static long expression(void)
{
    long left = term();
    for (;;) {
        skip();
        if (*at == '+') {
            at++;
            left = (long)((unsigned long)left + (unsigned long)term());
        } else if (*at == '-') {
            at++;
            left = (long)((unsigned long)left - (unsigned long)term());
        } else {
            return left;
        }
    }
}

static int is_assignment(const char *line)
{
    if (!islower((unsigned char)line[0]))
        return 0;
    for (line++; *line == ' '; line++)
        continue;
    return line[0] == '=' && line[1] != '=';
}

int main(void)
{
    char line[40];
    int errors = 0, lines = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        char target = '\0';
        long value;
        lines++;
        line[strcspn(line, "\n#")] = '\0';
        at = line;
        problem = NULL;
        skip();
        if (*at == '\0')
            continue;
        if (strcmp(at, "quit") == 0)
            break;
        if (is_assignment(at)) {
            target = *at;
            at = strchr(at, '=') + 1;
        }
        value = expression();
        skip();
        if (problem == NULL && *at != '\0')
            problem = "too much on the line";
        if (problem != NULL) {
            printf("line %d: %s\n", lines, problem);
            if (++errors == 3) {
                puts("too many errors");
                return 3;
            }
            continue;
        }
        if (target != '\0')
            variables[target - 'a'] = value;
        else
            printf("%ld\n", value);
    }
    return errors > 0;
}
