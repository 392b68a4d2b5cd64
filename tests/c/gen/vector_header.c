// The headers of a machine bring functions on types that are in no other code, such as those of MMX; a static function is compiled with them.
// function: widest
// expect: covered 2 infeasible 0 unknown 0
#if defined __x86_64__
#include <emmintrin.h>
#endif

static int widest(int a, int b)
{
    return a > b ? a : b;
}
