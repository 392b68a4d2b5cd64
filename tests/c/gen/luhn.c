// The check digit of a card number, by Luhn's formula.
// function: luhn
// options: --array-len 5
// expect: covered 18 infeasible 0 unknown 0
#include <stdbool.h>
#include <stddef.h>

bool luhn(const char *number);
bool luhn(const char *number)
{
    if (number == NULL)
        return false;
    size_t length = 0;
    while (number[length] != '\0') {
        if (number[length] < '0' || number[length] > '9')
            return false;
        length++;
    }
    if (length < 2)
        return false;
    int sum = 0;
    for (size_t i = 0; i < length; i++) {
        int digit = number[length - 1 - i] - '0';
        if (i % 2 == 1) {
            digit *= 2;
            if (digit > 9)
                digit -= 9;
        }
        sum += digit;
    }
    if (sum % 10 == 0)
        return true;
    return false;
}
