// Which numbers come is not said.
// function: throw_dice
// reachable: 12:9 true
// reachable: 12:9 false
// reachable: 14:9 true
// reachable: 14:9 false
#include <stdlib.h>
int throw_dice(void);
int throw_dice(void)
{
    int number = rand() % 6;
    if (number == 3)
        return 1;
    if (number == 5)
        return 2;
    return 0;
}
