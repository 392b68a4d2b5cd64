// A pointer in a union is read as a number.
// function: reads_bits
// reachable: 11:9 true
// reachable: 11:9 false
// reachable: 13:9 true
// reachable: 13:9 false
union value { void *p; unsigned long bits; };
int reads_bits(union value v);
int reads_bits(union value v)
{
    if (v.bits == 77)
        return 1;
    if (v.bits & 1)
        return 2;
    return 0;
}
