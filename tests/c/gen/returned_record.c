// What functions return that nothing defines: structs in registers and in memory, of integers, floats and pointers.
// function: judge
// expect: covered 16 infeasible 0 unknown 0
struct reading {
    short channel;
    unsigned char flags : 3;
    unsigned char rest : 5;
    int value;
};

struct place {
    double x;
    float y;
};

struct table {
    int cells[6];
    const char *name;
    int found;
};

typedef union {
    unsigned whole;
    unsigned char bytes[4];
} word;

struct reading read_sensor(int channel);
struct place where_is(const char *name);
struct table look_up(const char *key, int from);
word next_word(void);
struct table find_all(const char *result, ...);
int show(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void unused(const char *result)
{
    struct table table = find_all(result, 1, 2);
    show("%d %s\n", table.found, result);
}

int judge(int channel, const char *key)
{
    struct reading reading = read_sensor(channel);
    struct table table = look_up(key, reading.value);
    struct place place = where_is(key);
    int result = 0;
    if (reading.channel == channel && reading.flags == 5)
        result += 1;
    if (table.found > 3 && table.cells[4] == reading.value - 7)
        result += 2;
    if (place.x > place.y + 100)
        result += 4;
    for (int i = 0; i < 2; i++) {
        word next = next_word();
        if (next.bytes[1] == 0x5a)
            result += 8;
    }
    if (channel == -77)
        unused(key);
    return result;
}
