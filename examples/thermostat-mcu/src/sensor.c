#include "board.h"
#include "thermostat.h"

enum { TRIES = 3, OFFSET = 500 };

/* The converter has 12 bits: 0 is -50 degrees, a step is a tenth of a degree. */
bool sensor_read(int16_t *tenths)
{
    ADC->control |= ADC_START;
    for (int tries = 0; tries < TRIES; tries++) {
        uint32_t status = ADC->status;
        if (status & ADC_FAULT)
            return false;
        if (status & ADC_READY) {
            *tenths = (int16_t)((int32_t)(ADC->data & 0xfffu) - OFFSET);
            return true;
        }
    }
    return false;
}
