// Degrees of two scales.
// property: branches
// missed: 0
extern float __VERIFIER_nondet_float(void);

int main(void)
{
    float celsius = __VERIFIER_nondet_float();
    float fahrenheit = celsius * 1.8f + 32.0f;
    if (celsius < -273.15f)
        return 1;
    if (fahrenheit > 451.0f)
        return 2;
    if (fahrenheit == 50.0f)
        return 3;
    return 0;
}
