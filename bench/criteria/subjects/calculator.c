// A calculator of two operations: precedence, brackets, percent, and each step checked for its range before it is done.
// function: calculate
#include <stdbool.h>

enum { MOST = 9999, FACTOR = 200 };
enum fault { NO_FAULT = 0, BAD_OPERATOR = 1, BAD_NUMBER = 2, BY_ZERO = 3, TOO_LARGE = 4, BAD_BRACKETS = 5 };

struct sum {
    short a;
    short b;
    short c;
    char first;
    char second;
    unsigned char brackets;
    bool percent;
    bool negative;
    bool round;
};

struct result {
    int value;
    enum fault fault;
};

static bool is_operator(char c)
{
    return c == '+' || c == '-' || c == '*' || c == '/' || c == '%';
}

static bool binds_more(char left, char right)
{
    bool left_is_sum = left == '+' || left == '-';
    bool right_is_sum = right == '+' || right == '-';
    return left_is_sum && !right_is_sum;
}

static bool in_range(int value)
{
    return value >= -MOST && value <= MOST;
}

static struct result failed(enum fault fault)
{
    struct result r = { 0, fault };
    return r;
}

static struct result apply(int a, char operator, int b)
{
    struct result r = { 0, NO_FAULT };
    switch (operator) {
    case '+':
        r.value = a + b;
        break;
    case '-':
        r.value = a - b;
        break;
    case '*':
        if (b > FACTOR || b < -FACTOR)
            return failed(TOO_LARGE);
        r.value = a * b;
        break;
    case '/':
        if (b == 0)
            return failed(BY_ZERO);
        r.value = a / b;
        break;
    default:
        if (b <= 0)
            return failed(BY_ZERO);
        r.value = a % b;
    }
    if (!in_range(r.value))
        return failed(TOO_LARGE);
    return r;
}

/* To the nearest ten, half of it upwards. */
static int rounded(int value)
{
    int rest = value % 10;
    if (rest < 0)
        rest += 10;
    return rest >= 5 ? value - rest + 10 : value - rest;
}

static struct result evaluate(const struct sum *s)
{
    bool right_first = s->brackets == 2 || (s->brackets == 0 && binds_more(s->first, s->second));
    if (right_first) {
        struct result inner = apply(s->b, s->second, s->c);
        return inner.fault != NO_FAULT ? inner : apply(s->a, s->first, inner.value);
    }
    struct result inner = apply(s->a, s->first, s->b);
    return inner.fault != NO_FAULT ? inner : apply(inner.value, s->second, s->c);
}

int calculate(struct sum s)
{
    if (!is_operator(s.first) || !is_operator(s.second))
        return -20000 - BAD_OPERATOR;
    if (!in_range(s.a) || !in_range(s.b) || !in_range(s.c))
        return -20000 - BAD_NUMBER;
    if (s.brackets > 2 || (s.brackets != 0 && s.first == s.second && s.first == '+'))
        return -20000 - BAD_BRACKETS;
    struct result r = evaluate(&s);
    if (r.fault != NO_FAULT)
        return -20000 - (int)r.fault;
    if (s.percent)
        r.value = r.value >= 0 ? (r.value + 50) / 100 : (r.value - 50) / 100;
    if (s.negative && r.value != 0)
        r.value = -r.value;
    return s.round && (r.value > 20 || r.value < -20) ? rounded(r.value) : r.value;
}
