// expect: trap step-limit 11
// limit: --max-steps 2000000
// The limit also counts while the library works; the line is the call.
#include <string.h>

static char text[100000];

int main(void)
{
    memset(text, 'x', sizeof text - 1);
    for (;;) if (strlen(text) == 0) return 1;
}
