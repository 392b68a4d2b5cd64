static int down(int n)
{
    return n < 0 ? 0 : down(n + 1 > n ? n + 1 : 0) + 1;
}

int main(void)
{
    return down(0);
}
