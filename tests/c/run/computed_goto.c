// Computed goto through local and static label tables.
#include <stdio.h>

static int run(const unsigned char *code)
{
    static const void *const ops[] = {&&halt, &&push, &&add, &&mul, &&dup, &&jnz, &&dec};
    int stack[16], sp = 0, pc = 0;
    goto *ops[code[pc]];
push:
    stack[sp++] = code[pc + 1];
    pc += 2;
    goto *ops[code[pc]];
add:
    sp--;
    stack[sp - 1] += stack[sp];
    goto *ops[code[++pc]];
mul:
    sp--;
    stack[sp - 1] *= stack[sp];
    goto *ops[code[++pc]];
dup:
    stack[sp] = stack[sp - 1];
    sp++;
    goto *ops[code[++pc]];
jnz:
    if (stack[sp - 1])
        pc = code[pc + 1];
    else
        pc += 2;
    goto *ops[code[pc]];
dec:
    stack[sp - 1]--;
    goto *ops[code[++pc]];
halt:
    return sp > 1 ? stack[sp - 2] * 1000 + stack[sp - 1] : stack[0];
}

static int classify(int n)
{
    void *to = n < 0 ? &&negative : n == 0 ? &&zero : &&positive;
    goto *to;
negative:
    return -1;
zero:
    return 0;
positive:
    return 1;
}

static int next_state(int reset)
{
    static void *state;
    if (reset || !state)
        state = &&first;
    goto *state;
first:
    state = &&second;
    return 1;
second:
    state = &&third;
    return 2;
third:
    state = &&first;
    return 3;
}

int main(void)
{
    const unsigned char square[] = {1, 12, 4, 3, 0};
    const unsigned char loop[] = {1, 9, 6, 5, 2, 1, 77, 0};
    printf("%d %d\n", run(square), run(loop));
    printf("%d %d %d\n", classify(-5), classify(0), classify(5));
    for (int i = 0; i < 7; i++)
        printf("%d", next_state(i == 5));
    putchar('\n');
    return 0;
}
