// What C leaves undefined is compared twice: that a value here and another elsewhere go both ways says nothing of the code.
// function: both
// expect: covered 3 infeasible 0 unknown 1
int both(const int *values);
int both(const int *values)
{
    int found = 0;
    for (int i = 0; i < 2; i++)
        if (values[i] == 1 << 40)
            found++;
    return found;
}
