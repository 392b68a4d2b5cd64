// Calendar arithmetic on fixed times; the clock only moves forward.
// env: TZ=UTC0
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void)
{
    time_t ts[] = {0, 951782399, 951782400, 1700000000, 4102444799};
    for (int i = 0; i < 5; i++) {
        struct tm *g = gmtime(&ts[i]);
        printf("%04d-%02d-%02d %02d:%02d:%02d %d %d\n", g->tm_year + 1900, g->tm_mon + 1, g->tm_mday, g->tm_hour, g->tm_min,
               g->tm_sec, g->tm_wday, g->tm_yday);
        char buf[64];
        strftime(buf, sizeof buf, "%a %b %d %Y %H:%M:%S %j %p %y %%", g);
        puts(buf);
    }
    struct tm t;
    memset(&t, 0, sizeof t);
    t.tm_year = 124;
    t.tm_mon = 1;
    t.tm_mday = 31;
    t.tm_hour = 25;
    time_t made = mktime(&t);
    printf("%lld %d %d %d\n", (long long)made, t.tm_mon, t.tm_mday, t.tm_hour);
    printf("%g\n", difftime(ts[3], ts[2]));
    printf("%s", asctime(gmtime(&ts[1])));
    time_t a = time(NULL), b = time(&a);
    printf("%d %d\n", b >= a, a == b);
    clock_t c = clock(), d = clock();
    printf("%d %d\n", d >= c, (int)CLOCKS_PER_SEC);
    return 0;
}
