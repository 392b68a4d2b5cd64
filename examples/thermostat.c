// A thermostat with a small history of readings, and a defect.
//
//     covenant run examples/thermostat.c -- 18 21 25 -3
//
// prints what the compiled program prints. With more readings than the history holds, the native binary may well seem
// to work; covenant stops at the line that writes outside.
#include <stdio.h>
#include <stdlib.h>

enum { HISTORY = 8, WANTED = 20, BAND = 2 };
enum mode { OFF, HEATING, COOLING };

struct thermostat {
    int *history;
    int count;
    enum mode mode;
};

static void record(struct thermostat *t, int celsius)
{
    t->history[t->count] = celsius; // Nobody checks that there is room.
    t->count++;
}

static enum mode decide(enum mode now, int celsius)
{
    if (celsius < WANTED - BAND)
        return HEATING;
    if (celsius > WANTED + BAND)
        return COOLING;
    if ((now == HEATING && celsius >= WANTED) || (now == COOLING && celsius <= WANTED))
        return OFF;
    return now;
}

static double average(const struct thermostat *t)
{
    int sum = 0;
    for (int i = 0; i < t->count; i++)
        sum += t->history[i];
    return (double)sum / t->count;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {[OFF] = "off", [HEATING] = "heating", [COOLING] = "cooling"};
    if (argc < 2) {
        fprintf(stderr, "usage: thermostat CELSIUS...\n");
        return 2;
    }
    struct thermostat t = {malloc(HISTORY * sizeof(int)), 0, OFF};
    for (int i = 1; i < argc; i++) {
        int celsius = atoi(argv[i]);
        record(&t, celsius);
        t.mode = decide(t.mode, celsius);
        printf("%4d C  %s\n", celsius, names[t.mode]);
    }
    printf("average %.1f C\n", average(&t));
    free(t.history);
    return 0;
}
