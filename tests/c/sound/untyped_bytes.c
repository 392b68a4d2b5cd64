// Bytes that are a structure.
// function: parses
// reachable: 15:9 true
// reachable: 15:9 false
// reachable: 18:9 true
// reachable: 18:9 false
// reachable: 20:9 true
// reachable: 20:9 false
#include <string.h>
struct packet { unsigned short kind; unsigned short length; unsigned body[8]; };
int parses(const unsigned char *bytes);
int parses(const unsigned char *bytes)
{
    struct packet p;
    if (!bytes)
        return -1;
    memcpy(&p, bytes, sizeof p);
    if (p.kind == 7)
        return 1;
    if (p.body[7] == 9)
        return 2;
    return 0;
}
