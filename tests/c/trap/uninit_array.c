// expect: trap uninitialised 12
// check: uninitialised
// native: memory
// The last element of an array was never set.
int main(void)
{
    int v[5];
    for (int i = 0; i < 4; i++)
        v[i] = i;
    int n = 0;
    for (int i = 0; i < 5; i++)
        if (v[i] > 1)
            n++;
    return n;
}
