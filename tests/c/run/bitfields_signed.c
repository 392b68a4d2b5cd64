// Signed bit-fields extend their sign; enum, _Bool and long long fields.
#include <stdio.h>

enum color { RED, GREEN, BLUE };

struct s {
    signed a : 4;
    signed b : 7;
    signed one : 1;
    _Bool flag : 1;
    enum color col : 2;
    long long big : 45;
    unsigned long long ubig : 61;
    signed char c : 5;
    short sh : 11;
};

int main(void)
{
    struct s s = {.a = -8, .b = 63, .one = -1, .flag = 5, .col = BLUE, .big = -12345678901234, .ubig = ~0ULL >> 3};
    printf("%d %d %d %d %d %lld %llu\n", s.a, s.b, s.one, s.flag, s.col, (long long)s.big, (unsigned long long)s.ubig);
    s.c = -16;
    s.sh = 1023;
    s.sh -= 2000;
    printf("%d %d\n", s.c, s.sh);
    s.a++;
    s.b = -s.b;
    s.big *= -1;
    s.big >>= 3;
    s.ubig += 2;
    printf("%d %d %lld %llu\n", s.a, s.b, (long long)s.big, (unsigned long long)s.ubig);
    int sum = 0;
    for (s.a = -8; s.a < 7; s.a++)
        sum += s.a;
    printf("%d\n", sum);
    printf("%d %d\n", s.a < 0, s.one < s.flag);
    struct s copy = s;
    copy.col = GREEN;
    printf("%d %d %d\n", s.col, copy.col, copy.b == s.b);
    return s.a;
}
