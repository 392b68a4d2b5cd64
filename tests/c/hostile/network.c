// The network, and what looks like one.
// case: call_home exit 0|1 says `socket`
// case: open_a_door exit 0|1 says `socket`
// case: socket_with_a_name exit 0|1 says `socket`
// case: socket_without_a_file exit 0|1 says `socket`
// case: datagram exit 0|1 says `socket`
// case: ask_for_a_name exit 0|1 says `getaddrinfo`
// case: pair exit 0|1 says `socketpair`
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_in address(const char *host, int port)
{
    struct sockaddr_in to = {0};
    to.sin_family = AF_INET;
    to.sin_port = (in_port_t)((port & 255) << 8 | port >> 8);
    to.sin_addr.s_addr = host[0];
    return to;
}

int call_home(int x)
{
    struct sockaddr_in to = address("\x7f", 9);
    if (x != 1)
        return 0;
    return connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&to, sizeof to);
}

int open_a_door(int x)
{
    struct sockaddr_in at = address("", 4711);
    if (x != 1)
        return 0;
    int door = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(door, (struct sockaddr *)&at, sizeof at) != 0 || listen(door, 1) != 0)
        return 1;
    return accept(door, NULL, NULL);
}

int socket_with_a_name(int x)
{
    struct sockaddr_un at = {AF_UNIX, FOLDER "/door"};
    if (x != 1)
        return 0;
    return bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at);
}

int socket_without_a_file(int x)
{
    struct sockaddr_un at = {AF_UNIX, "\0hidden"};
    if (x != 1)
        return 0;
    return connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at);
}

int datagram(int x)
{
    struct sockaddr_in to = address("\x7f", 514);
    if (x != 1)
        return 0;
    return (int)sendto(socket(AF_INET, SOCK_DGRAM, 0), "x", 1, 0, (struct sockaddr *)&to, sizeof to);
}

int ask_for_a_name(int x)
{
    struct addrinfo *found;
    if (x == 1)
        return getaddrinfo("example.org", "80", NULL, &found);
    return 0;
}

int pair(int x)
{
    int both[2];
    if (x == 1)
        return socketpair(AF_UNIX, SOCK_STREAM, 0, both);
    return 0;
}
