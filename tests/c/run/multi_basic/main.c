// Three files: functions, globals and constants shared through a header.
#include "shape.h"
#include <stdio.h>

int main(void)
{
    struct shape s[] = {square(3), rect(2, 5), square(1.5)};
    for (int i = 0; i < 3; i++)
        printf("%s %g\n", names[s[i].kind], area(&s[i]));
    made += 10;
    printf("%d %d\n", made, get_made());
    return made;
}
