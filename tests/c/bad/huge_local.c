int main(void)
{
    volatile char big[1 << 30];
    big[0] = 1;
    big[sizeof big - 1] = 2;
    return big[0];
}
