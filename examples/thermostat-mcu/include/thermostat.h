/* A thermostat with hysteresis, a minimum off time and a latch for faults. */
#ifndef THERMOSTAT_H
#define THERMOSTAT_H

#include <stdbool.h>
#include <stdint.h>

enum state { IDLE, HEATING, FAULT };

struct thermostat {
    enum state state;
    int16_t target;      /* tenths of a degree */
    uint8_t band;        /* half of the hysteresis, tenths of a degree */
    uint16_t rest;       /* steps until the heater may start again */
    uint8_t bad_samples; /* in a row */
};

/* The temperature in tenths of a degree; false: the sensor gives none. */
bool sensor_read(int16_t *tenths);
void heater_set(bool on);
/* One step of the control loop; true while the heater is on. */
bool thermostat_step(struct thermostat *t, bool door_open);

#endif
