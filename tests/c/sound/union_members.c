// One member of a union is read as another.
// function: reads_other
// reachable: 13:9 true
// reachable: 13:9 false
// reachable: 15:9 true
// reachable: 15:9 false
// reachable: 17:9 true
// reachable: 17:9 false
union number { float f; unsigned u; unsigned char bytes[4]; };
int reads_other(union number n);
int reads_other(union number n)
{
    if (n.f > 1.0f)
        return 1;
    if (n.bytes[3] == 0x7f)
        return 2;
    if (n.u == 0x80000000u)
        return 3;
    return 0;
}
