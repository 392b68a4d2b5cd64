// A frame of a serial line: is it sound, is it for us, is it new, and what does it do to the device?
// function: receive
#include <stdbool.h>

enum { START = 0x7e, MOST = 4, WINDOW = 8, BROADCAST = 255 };
enum kind { PING = 1, READ = 2, WRITE = 3, LIMITS = 4, RESET = 9 };
enum answer {
    NO_START = -1, NOT_FOR_US = -2, BAD_LENGTH = -3, BAD_SUM = -4, BAD_KIND = -5, OLD = -6, BAD_VALUE = -7, LOCKED = -8
};

struct frame {
    unsigned char start;
    unsigned char address;
    unsigned char kind;
    unsigned char sequence;
    unsigned char length;
    unsigned char payload[MOST];
    unsigned char sum;
};

struct device {
    unsigned char address;
    unsigned char expected;
    short low;
    short high;
    bool locked;
    bool busy;
};

static unsigned checksum(const struct frame *f)
{
    unsigned sum = f->address + f->kind * 3u + f->sequence + f->length;
    for (int i = 0; i < f->length; i++)
        sum += f->payload[i];
    return sum & 0xff;
}

/* What is wrong with the frame, or 0. */
static int fault(const struct frame *f, const struct device *d)
{
    if (f->start != START)
        return NO_START;
    if (f->address != d->address && !(f->address == BROADCAST && f->kind == RESET))
        return NOT_FOR_US;
    if (f->length > MOST)
        return BAD_LENGTH;
    return checksum(f) == f->sum ? 0 : BAD_SUM;
}

/* A frame is new if it is at most so far ahead of what is expected. */
static bool is_new(const struct frame *f, const struct device *d)
{
    unsigned char ahead = (unsigned char)(f->sequence - d->expected);
    return ahead < WINDOW;
}

static bool fits(int kind, int length)
{
    switch (kind) {
    case PING:
    case RESET:
        return length == 0;
    case READ:
        return length == 1;
    case WRITE:
        return length == 2;
    case LIMITS:
        return length == MOST;
    default:
        return false;
    }
}

static int write(const struct device *d, int number, int value)
{
    if (number > 7 || (number == 0 && value % 2 != 0))
        return BAD_VALUE;
    if (value < d->low || value > d->high)
        return BAD_VALUE;
    return 1000 + number * 256 + value;
}

static int limits(struct device *d, const unsigned char *payload)
{
    int low = payload[0] * 256 + payload[1] - 1000;
    int high = payload[2] * 256 + payload[3] - 1000;
    if (low > high || high > 20000 || (d->busy && high - low < 10))
        return BAD_VALUE;
    d->low = (short)low;
    d->high = (short)high;
    return high - low;
}

int receive(struct frame f, struct device d)
{
    int wrong = fault(&f, &d);
    if (wrong != 0)
        return wrong;
    if (f.kind != RESET && !is_new(&f, &d))
        return OLD;
    if (f.kind == 0 || (f.kind > LIMITS && f.kind != RESET))
        return BAD_KIND;
    if (!fits(f.kind, f.length))
        return BAD_LENGTH;
    if (d.locked && (f.kind == WRITE || f.kind == LIMITS))
        return LOCKED;
    if (f.kind == PING || f.kind == RESET)
        return 0;
    if (f.kind == READ)
        return f.payload[0] < 2 ? (f.payload[0] == 0 ? d.low : d.high) : BAD_VALUE;
    return f.kind == WRITE ? write(&d, f.payload[0], f.payload[1]) : limits(&d, f.payload);
}
