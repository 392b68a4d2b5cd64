// stdin: 1 + 2 * 3\n(1+2)*3\n-4 ^ 2\n2^3^2\n10 / 4 - 1\n7 % 4 * (2 - -3)\nx = 5\ny = x * x + 1\ny - x\n1 +\n(2\n3 $ 4\n1/0\nmax(3, x, 9) + min(y, 2)\nsqrt(2) * 10\n
// A tokenizer and recursive descent evaluator of arithmetic with variables and functions.
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at;
static double vars[26];
static jmp_buf failed;
static char message[64];

static _Noreturn void fail(const char *what)
{
    snprintf(message, sizeof message, "%s at '%.5s'", what, at);
    longjmp(failed, 1);
}

static void skip(void)
{
    while (isspace((unsigned char)*at))
        at++;
}

static int accept(char c)
{
    skip();
    if (*at != c)
        return 0;
    at++;
    return 1;
}

static double sum(void);

static double call(const char *name)
{
    double r = sum();
    if (strcmp(name, "sqrt") == 0)
        r = sqrt(r);
    else if (strcmp(name, "max") == 0 || strcmp(name, "min") == 0)
        while (accept(',')) {
            double v = sum();
            if (name[1] == 'a' ? v > r : v < r)
                r = v;
        }
    else
        fail("unknown function");
    if (!accept(')'))
        fail("missing )");
    return r;
}

static double primary(void)
{
    skip();
    if (isdigit((unsigned char)*at)) {
        char *end;
        double v = strtod(at, &end);
        at = end;
        return v;
    }
    if (isalpha((unsigned char)*at)) {
        char name[16];
        size_t n = 0;
        while (isalpha((unsigned char)*at) && n < sizeof name - 1)
            name[n++] = *at++;
        name[n] = 0;
        if (accept('('))
            return call(name);
        if (n != 1)
            fail("unknown name");
        return vars[name[0] - 'a'];
    }
    if (accept('(')) {
        double v = sum();
        if (!accept(')'))
            fail("missing )");
        return v;
    }
    fail("expected a value");
}

static double unary(void);

static double power(void)
{
    double v = primary();
    return accept('^') ? pow(v, unary()) : v;
}

static double unary(void)
{
    return accept('-') ? -unary() : power();
}

static double product(void)
{
    double v = unary();
    for (;;) {
        if (accept('*'))
            v *= unary();
        else if (accept('/')) {
            double d = unary();
            if (d == 0)
                fail("division by zero");
            v /= d;
        } else if (accept('%'))
            v = fmod(v, unary());
        else
            return v;
    }
}

static double sum(void)
{
    double v = product();
    for (;;) {
        if (accept('+'))
            v += product();
        else if (accept('-'))
            v -= product();
        else
            return v;
    }
}

int main(void)
{
    char line[128];
    int errors = 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        at = line;
        if (setjmp(failed)) {
            printf("error: %s\n", message);
            errors++;
            continue;
        }
        char target = 0;
        if (islower((unsigned char)line[0]) && strchr(line, '=')) {
            target = line[0];
            at = strchr(line, '=') + 1;
        }
        double v = sum();
        skip();
        if (*at)
            fail("unexpected");
        if (target)
            vars[target - 'a'] = v;
        printf("%.10g\n", v);
    }
    return errors;
}
