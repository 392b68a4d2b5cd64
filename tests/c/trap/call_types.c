// expect: trap bad-call 9
// native: undefined
// A function of a double is called with an int.
static double half(double d) { return d / 2; }

int main(void)
{
    double (*f)(int) = (double (*)(int))(void *)half;
    return (int)f(4);
}
