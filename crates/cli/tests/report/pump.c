// Controls two pumps: undefined functions, a variable that nobody defines, globals, a static and a main of its own.
#include <stddef.h>

struct pump {
    int on;
    double level;
    const char *name;
};

static struct pump pumps[2];
int faults;

int read_sensor(int channel);
double read_level(void);
void log_fault(const char *text);
unsigned char flags(void);

int control(int index, float gain);

int control(int index, float gain)
{
    if (index < 0 || index >= 2) {
        faults++;
        return -1;
    }
    struct pump *pump = &pumps[index];
    int sensor = read_sensor(index);
    if (sensor < 0) {
        log_fault("sensor");
        faults += 2;
        return -2;
    }
    if (read_level() > 3.5 && gain > 0.5f) {
        pump->on = 1;
        pump->level = 9.25;
    }
    if (flags() & 0x80) {
        pump->name = NULL;
    }
    return sensor > 100 ? 1 : 0;
}

int main(void)
{
    return control(0, 1.0f);
}
