// A strong definition in another file wins over a weak one.
#include <stdio.h>

__attribute__((weak)) int answer(void) { return 1; }
__attribute__((weak)) int setting = 1;
__attribute__((weak)) int fallback(void) { return 2; }
extern int late(void) __attribute__((weak));

int main(void)
{
    printf("%d %d %d\n", answer(), setting, fallback());
    printf("%d\n", late ? late() : -1);
    return answer();
}
