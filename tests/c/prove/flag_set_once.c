// A flag that is only set while it is not set is set at most once.
// function: watch
// expect: covered 10 infeasible 2 unknown 0
// expect: infeasible 20:9 true
// expect: infeasible 22:18 true
#include <stdbool.h>
int next(void);

int watch(int n);
int watch(int n)
{
    bool alarm = false;
    int alarms = 0;
    for (int i = 0; i < n; i++) {
        if (next() > 100 && !alarm) {
            alarm = true;
            alarms++;
        }
    }
    if (alarms > 1)
        return -1;
    if (alarm && alarms == 0)
        return -2;
    return alarms;
}
