// A register virtual machine with computed goto and a small assembler for its programs.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum op { LOAD, MOVE, ADD, SUB, MUL, DIV, JMP, JZ, JLT, PRINT, CALL, RET, HALT, OPS };
static const char *const names[OPS] = {"load", "move", "add", "sub", "mul", "div", "jmp",
                                       "jz",   "jlt",  "print", "call", "ret", "halt"};

struct ins {
    uint8_t op, a, b;
    int16_t c;
};

struct vm {
    int64_t reg[8];
    int stack[32], sp;
    long steps;
};

static int assemble(const char *text, struct ins *out)
{
    int labels[26];
    for (int pass = 0; pass < 2; pass++) {
        int n = 0;
        const char *p = text;
        char word[16];
        int used;
        while (sscanf(p, "%15s%n", word, &used) == 1) {
            p += used;
            if (word[1] == ':') {
                labels[word[0] - 'A'] = n;
                continue;
            }
            struct ins in = {OPS, 0, 0, 0};
            for (int o = 0; o < OPS; o++)
                if (strcmp(names[o], word) == 0)
                    in.op = (uint8_t)o;
            if (in.op == OPS)
                return -1;
            uint8_t *regs[] = {&in.a, &in.b};
            int r = 0;
            while (sscanf(p, " %15[^ ;]%n", word, &used) == 1) {
                p += used;
                if (word[0] == 'r' && r < 2)
                    *regs[r++] = (uint8_t)atoi(word + 1);
                else if (word[0] == 'r')
                    in.c = (int16_t)atoi(word + 1);
                else if (word[0] >= 'A' && word[0] <= 'Z')
                    in.c = pass ? (int16_t)labels[word[0] - 'A'] : (int16_t)0;
                else
                    in.c = (int16_t)atoi(word);
            }
            p += strcspn(p, ";") + 1;
            out[n++] = in;
        }
        if (pass)
            return n;
    }
    return 0;
}

static int run(struct vm *m, const struct ins *code)
{
    static const void *const jump[OPS] = {&&load, &&move, &&add, &&sub, &&mul, &&divide, &&jmp,
                                          &&jz,   &&jlt,  &&print, &&call, &&ret, &&halt};
    const struct ins *i = code;
    int64_t *r = m->reg;
#define NEXT(at)                                                                                                       \
    do {                                                                                                               \
        i = (at);                                                                                                      \
        m->steps++;                                                                                                    \
        goto *jump[i->op];                                                                                             \
    } while (0)
    goto *jump[i->op];
load: r[i->a] = i->c; NEXT(i + 1);
move: r[i->a] = r[i->b]; NEXT(i + 1);
add: r[i->a] += r[i->b]; NEXT(i + 1);
sub: r[i->a] -= r[i->b]; NEXT(i + 1);
mul: r[i->a] *= r[i->b]; NEXT(i + 1);
divide:
    if (r[i->b] == 0)
        return -1;
    r[i->a] /= r[i->b];
    NEXT(i + 1);
jmp: NEXT(code + i->c);
jz: NEXT(r[i->a] == 0 ? code + i->c : i + 1);
jlt: NEXT(r[i->a] < r[i->b] ? code + i->c : i + 1);
print: printf("%lld\n", (long long)r[i->a]); NEXT(i + 1);
call: m->stack[m->sp++] = (int)(i - code) + 1; NEXT(code + i->c);
ret: NEXT(code + m->stack[--m->sp]);
halt: return (int)r[0];
}

int main(void)
{
    static const char *const programs[] = {
        "load r1 1 ; load r2 20 ; load r3 1 ; A: mul r3 r2 ; sub r2 r1 ; jz r2 B ; jmp A ; B: print r3 ; halt ;",
        ("load r1 0 ; load r2 1 ; load r3 0 ; load r4 30 ; load r7 1 ; L: move r5 r2 ; add r2 r1 ; move r1 r5 ; "
         "add r3 r7 ; jlt r3 r4 L ; print r1 ; load r0 7 ; halt ;"),
        "load r1 5 ; call S ; print r1 ; call S ; print r1 ; halt ; S: mul r1 r1 ; ret ;",
        "load r1 9 ; load r2 0 ; div r1 r2 ; halt ;",
        "load r1 1 ; bogus r2 ; halt ;",
    };
    struct ins code[64];
    for (unsigned p = 0; p < sizeof programs / sizeof *programs; p++) {
        int n = assemble(programs[p], code);
        if (n < 0) {
            puts("bad program");
            continue;
        }
        struct vm m = {0};
        int rc = run(&m, code);
        printf("%d instructions, %ld steps, result %d\n", n, m.steps, rc);
    }
    return 0;
}
