// Floats, also those that are no number.
// function: thresholds
// reachable: 15:9 true
// reachable: 15:9 false
// reachable: 17:9 true
// reachable: 17:9 false
// reachable: 19:9 true
// reachable: 19:9 false
// reachable: 21:9 true
// reachable: 21:9 false
#include <math.h>
int thresholds(double x, float y);
int thresholds(double x, float y)
{
    if (isnan(x))
        return -1;
    if (x == x + 1.0)
        return 1;
    if (y * 3.0f == 1.0f)
        return 2;
    if (x > 1e15)
        return 3;
    return 0;
}
