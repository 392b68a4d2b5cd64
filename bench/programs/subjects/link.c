// One end of a connection, driven for ever by events on standard input: segments, commands of the user, and time that goes by.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum state { CLOSED, LISTENING, CALLING, ANSWERED, OPEN, LEAVING, LEFT, WAITING, LAST };
enum { SYN = 1, ACK = 2, FIN = 4, RESET = 8 };
enum { MOST_TRIES = 3, LINGER = 2 };

static enum state state = CLOSED;
static unsigned expected, sent, tries, timer;
static unsigned long dropped;

static const char *const NAMES[] = {"closed", "listening", "calling", "answered", "open", "leaving", "left", "waiting", "last"};

static void go(enum state next)
{
    printf("%s -> %s\n", NAMES[state], NAMES[next]);
    state = next;
    tries = 0;
    timer = 0;
}

static void transmit(unsigned flags)
{
    printf("send%s%s%s%s %u %u\n", flags & SYN ? " syn" : "", flags & ACK ? " ack" : "", flags & FIN ? " fin" : "",
           flags & RESET ? " reset" : "", sent, expected);
}

static void command(char what)
{
    switch (what) {
    case 'l':
        if (state == CLOSED)
            go(LISTENING);
        break;
    case 'c':
        if (state == CLOSED || state == LISTENING) {
            transmit(SYN);
            go(CALLING);
        }
        break;
    case 'x':
        if (state == OPEN || state == ANSWERED) {
            transmit(FIN);
            go(LEAVING);
        } else if (state == WAITING) {
            transmit(FIN | ACK);
            go(LAST);
        } else if (state == LISTENING || state == CALLING) {
            go(CLOSED);
        }
        break;
    default:
        puts("no such command");
        break;
    }
}

static void opening(unsigned flags, unsigned number)
{
    if (state == LISTENING && (flags & SYN)) {
        expected = (number + 1) & 255;
        transmit(SYN | ACK);
        go(ANSWERED);
    } else if (state == CALLING && (flags & SYN)) {
        expected = (number + 1) & 255;
        transmit(ACK);
        go(flags & ACK ? OPEN : ANSWERED);
    } else if (state == ANSWERED && (flags & ACK) && number == expected) {
        go(OPEN);
    } else {
        dropped++;
    }
}

static void closing(unsigned flags)
{
    switch (state) {
    case OPEN:
        if (flags & FIN) {
            transmit(ACK);
            go(WAITING);
        }
        break;
    case LEAVING:
        if ((flags & (FIN | ACK)) == (FIN | ACK)) {
            transmit(ACK);
            go(LEFT);
        } else if (flags & ACK) {
            timer = 0;
        }
        break;
    case LAST:
        if (flags & ACK)
            go(CLOSED);
        break;
    default:
        dropped++;
        break;
    }
}

static void segment(unsigned flags, unsigned number)
{
    if (flags & RESET) {
        if (state != CLOSED && state != LISTENING)
            go(CLOSED);
        return;
    }
    if (state == CLOSED) {
        transmit(RESET);
        return;
    }
    if (state == LISTENING || state == CALLING || state == ANSWERED) {
        opening(flags, number);
        return;
    }
    if (state == OPEN && flags == 0) {
        if (number != expected) {
            dropped++;
            return;
        }
        expected = (expected + 1) & 255;
        transmit(ACK);
        return;
    }
    closing(flags);
}

static void tick(void)
{
    timer++;
    if (state == LEFT && timer >= LINGER) {
        go(CLOSED);
    } else if (state == CALLING || state == ANSWERED || state == LEAVING || state == LAST) {
        if (++tries > MOST_TRIES)
            go(CLOSED);
        else
            transmit(state == CALLING ? SYN : ACK);
    }
}

int main(void)
{
    for (;;) {
        int event = getchar();
        switch (event) {
        case EOF:
        case 't':
            tick();
            break;
        case 'u':
            command((char)getchar());
            break;
        case 's': {
            int flags = getchar(), number = getchar();
            if (flags < '0' || flags > '?' || number == EOF) {
                puts("a broken segment");
                break;
            }
            segment((unsigned)(flags - '0'), (unsigned)number);
            break;
        }
        case '?':
            printf("%s %lu\n", NAMES[state], dropped);
            break;
        default:
            break;
        }
        sent = (sent + 1) & 255;
    }
}
