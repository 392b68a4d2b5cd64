#include "thermostat.h"

#include "board.h"

enum { REST = 20, MOST_BAD = 3 };

void heater_set(bool on)
{
    if (on)
        PORT_A->out |= HEATER_PIN;
    else
        PORT_A->out &= ~HEATER_PIN;
}

bool thermostat_step(struct thermostat *t, bool door_open)
{
    int16_t now;
    if (t->rest > 0)
        t->rest--;
    if (!sensor_read(&now)) {
        if (t->bad_samples < MOST_BAD)
            t->bad_samples++;
        if (t->bad_samples >= MOST_BAD)
            t->state = FAULT;
    } else {
        t->bad_samples = 0;
        if (t->state == HEATING && (now >= t->target + t->band || door_open)) {
            t->state = IDLE;
            t->rest = REST;
        } else if (t->state == IDLE && t->rest == 0 && !door_open && now <= t->target - t->band) {
            t->state = HEATING;
        }
    }
    heater_set(t->state == HEATING);
    return t->state == HEATING;
}
