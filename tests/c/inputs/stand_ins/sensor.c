/* Every third sensor is broken. */
int sensor(int number, int *value);
int sensor(int number, int *value)
{
    static int calls;
    if (number % 3 == 0)
        return -1;
    *value = 10 * number + calls++;
    return 0;
}
