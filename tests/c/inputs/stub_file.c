// The user's own definition of a function that is defined elsewhere.
// function: average
// options: --stub-file ./stand_ins/sensor.c
// expect: covered 8 infeasible 0 unknown 0
int sensor(int number, int *value);

int average(int first, int count);
int average(int first, int count)
{
    int sum = 0, good = 0;
    for (int i = 0; i < count && i < 3; i++) {
        int value;
        if (sensor(first + i, &value) == 0) {
            sum += value;
            good++;
        }
    }
    return good ? sum / good : -1;
}
