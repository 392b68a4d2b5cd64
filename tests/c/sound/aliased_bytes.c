// Bytes of anything may be written as characters.
// function: bytewise
// reachable: 12:9 true
// reachable: 12:9 false
// reachable: 12:20 true
// reachable: 12:20 false
// reachable: 16:9 true
// reachable: 16:9 false
int bytewise(long *number, char *bytes);
int bytewise(long *number, char *bytes)
{
    if (!number || !bytes)
        return -1;
    *number = 0;
    bytes[0] = 1;
    if (*number == 1)
        return 1;
    return 0;
}
