// expect: trap bad-call 9
// native: undefined
// A function of three parameters is called with one.
static int sum(int a, int b, int c) { return a + b + c; }

int main(void)
{
    int (*f)(int) = (int (*)(int))(void *)sum;
    return f(1);
}
