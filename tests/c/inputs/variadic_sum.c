// As many arguments as the code asks for, which are inputs like those with names.
// function: longest_run
// expect: covered 8 infeasible 0 unknown 0
#include <stdarg.h>

int longest_run(int wanted, unsigned count, ...);
int longest_run(int wanted, unsigned count, ...)
{
    int best = 0, run = 0;
    va_list list;
    if (count > 8)
        return -1;
    va_start(list, count);
    for (unsigned i = 0; i < count; i++) {
        run = va_arg(list, int) == wanted ? run + 1 : 0;
        best = run > best ? run : best;
    }
    va_end(list);
    return best;
}
