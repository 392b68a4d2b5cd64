/* The fee of a car park, in cents.
 *
 * Try:  covenant gen examples/parking.c -f fee
 *
 * Covenant finds a test for every branch that some input takes, proves that one branch is dead, and shows the input
 * that the author did not think of. */
#include <string.h>

/* -1: refused. */
int fee(int minutes, int member, const char *voucher) {
    if (minutes < 0 || minutes > 7 * 24 * 60) {
        return -1;
    }
    if (voucher && strcmp(voucher, "GUEST") == 0) {
        return 0;
    }
    int hours = (minutes + 59) / 60;
    int price = hours <= 2 ? hours * 150 : 300 + (hours - 2) * 100;
    if (price < 0) { /* cannot be: hours are at most 168 */
        return -1;
    }
    if (member) {
        price -= price / 10;
    } else if (price > 2000) {
        price = 2000;
    }
    int per_hour = price / hours;
    return per_hour > 120 ? price - 20 : price;
}
