/* Registers of the board. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

struct adc {
    volatile uint32_t control;
    volatile uint32_t status;
    volatile uint32_t data;
};

struct port {
    volatile uint32_t mode;
    volatile uint32_t out;
};

#define ADC ((struct adc *)0x40012000u)
#define PORT_A ((struct port *)0x48000000u)

#define ADC_START (1u << 0)
#define ADC_READY (1u << 1)
#define ADC_FAULT (1u << 2)
#define HEATER_PIN (1u << 5)

#endif
