// A function that nobody defines here fills a buffer.
// function: reads
// reachable: 13:9 true
// reachable: 13:9 false
// reachable: 15:9 true
// reachable: 15:9 false
int receive(char *buffer, int size);
int reads(void);
int reads(void)
{
    char buffer[8] = {0};
    int got = receive(buffer, sizeof buffer);
    if (got < 1)
        return -1;
    if (buffer[0] == 'x')
        return 1;
    return 0;
}
