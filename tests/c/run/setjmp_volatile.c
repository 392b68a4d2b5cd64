// Volatile locals keep their changes after longjmp; other frames stay as they are.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf env;
static jmp_buf saved[3];

static void change(volatile int *n, char *text)
{
    *n += 5;
    strcat(text, "!");
    longjmp(env, 1);
}

static int retry(void)
{
    volatile int left = 3;
    volatile double sum = 0;
    if (setjmp(env) != 0)
        sum += 0.5;
    if (left-- > 0)
        longjmp(env, 7);
    return (int)(sum * 10);
}

int main(void)
{
    volatile int n = 1;
    static char text[16] = "hi";
    if (setjmp(env) == 0)
        change(&n, text);
    printf("%d %s\n", n, text);
    printf("%d\n", retry());
    static int round;
    for (volatile int i = 0; i < 3; i++) {
        int got = setjmp(saved[i]);
        if (got)
            printf("slot %d got %d\n", i, got);
    }
    if (round < 3) {
        int k = round++;
        longjmp(saved[k], 10 + k);
    }
    sigjmp_buf sb;
    if (sigsetjmp(sb, 0) == 0)
        siglongjmp(sb, 3);
    puts("done");
    return round;
}
