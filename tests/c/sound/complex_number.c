// A complex number has two parts.
// function: quadrant
// reachable: 11:9 true
// reachable: 11:9 false
// reachable: 13:9 true
// reachable: 13:9 false
#include <complex.h>
int quadrant(double _Complex z);
int quadrant(double _Complex z)
{
    if (creal(z) > 1.0)
        return 1;
    if (cimag(z) < 0.0)
        return 2;
    return 0;
}
