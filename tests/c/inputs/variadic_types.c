// Which types the arguments have says a format, letter by letter; among them are pointers to text and to a struct, and more numbers than
// there are registers.
// function: check_all
// expect: covered 24 infeasible 0 unknown 0
#include <stdarg.h>

struct limits {
    int low, high;
};

static int in_range(va_list *list)
{
    int value = va_arg(*list, int);
    const struct limits *limits = va_arg(*list, struct limits *);
    return limits && value >= limits->low && value < limits->high;
}

int check_all(const char *format, ...);
int check_all(const char *format, ...)
{
    int wrong = 0;
    va_list list;
    if (!format)
        return -1;
    va_start(list, format);
    for (; *format; format++) {
        switch (*format) {
        case 'i':
            wrong += va_arg(list, int) == 42;
            break;
        case 'l':
            if (va_arg(list, long) == (long)(1LL << 40))
                wrong += 2;
            break;
        case 'd':
            if (va_arg(list, double) > 2.5)
                wrong += 4;
            break;
        case 's':
            if (*va_arg(list, char *) == 'x')
                wrong += 8;
            break;
        case 'r':
            if (!in_range(&list))
                wrong += 16;
            break;
        default:
            va_end(list);
            return -2;
        }
    }
    va_end(list);
    return wrong;
}
