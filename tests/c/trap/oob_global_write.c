// expect: trap out-of-bounds 10
// native: address
// A global buffer is written past its end.
static char buf[16];

int main(void)
{
    char *p = buf;
    while (p <= buf + sizeof buf)
        *p++ = 'x';
    return buf[0];
}
