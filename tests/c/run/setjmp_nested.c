// Nested handlers in the style of exceptions, with rethrow.
#include <setjmp.h>
#include <stdio.h>

struct handler {
    jmp_buf env;
    struct handler *outer;
};

static struct handler *top;

#define TRY                                                                                                            \
    do {                                                                                                               \
        struct handler h_;                                                                                             \
        h_.outer = top;                                                                                                \
        top = &h_;                                                                                                     \
        volatile int code_ = setjmp(h_.env);                                                                           \
        if (code_ == 0) {
#define CATCH                                                                                                          \
    top = h_.outer;                                                                                                    \
    }                                                                                                                  \
    else                                                                                                               \
    {                                                                                                                  \
        top = h_.outer;                                                                                                \
        int error = code_;
#define END                                                                                                            \
    }                                                                                                                  \
    }                                                                                                                  \
    while (0)

static void throw(int code)
{
    if (!top) {
        printf("uncaught %d\n", code);
        return;
    }
    longjmp(top->env, code);
}

static void inner(int n)
{
    TRY {
        printf("inner %d\n", n);
        if (n > 0)
            throw(n);
        puts("inner fine");
    }
    CATCH {
        printf("inner caught %d\n", error);
        if (error > 1)
            throw(error * 10);
    }
    END;
}

int main(void)
{
    for (volatile int i = 0; i < 4; i++) {
        TRY {
            inner(i);
            printf("outer fine %d\n", i);
        }
        CATCH { printf("outer caught %d\n", error); }
        END;
    }
    throw(99);
    return 0;
}
