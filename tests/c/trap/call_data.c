// expect: trap bad-call 9
// native: signal
// The address of data is called.
static int data[4] = {1, 2, 3, 4};

int main(void)
{
    int (*f)(void) = (int (*)(void))(void *)data;
    return f();
}
