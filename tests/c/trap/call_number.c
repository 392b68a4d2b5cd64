// expect: trap bad-call 7
// native: signal
// A number is called.
int main(void)
{
    void (*f)(int) = (void (*)(int))0xdeadbeef;
    f(1);
    return 0;
}
