// expect: trap uninitialised 9
// check: uninitialised
// native: memory
// An unset value selects a case.
int main(void)
{
    char kind[2];
    kind[0] = 'a';
    switch (kind[1]) {
    case 'a': return 1;
    default: return 2;
    }
}
