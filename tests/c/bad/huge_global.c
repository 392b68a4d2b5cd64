static char big[1 << 30];

int main(void)
{
    for (unsigned i = 0; i < sizeof big; i += 4096)
        big[i] = 1;
    return big[4096];
}
