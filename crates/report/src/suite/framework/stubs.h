
/* What a test expects an undefined function to be called with: nothing, a number, a real number, an address, an object. */
struct covenant_argument {
    enum { COVENANT_ANY, COVENANT_NUMBER, COVENANT_REAL, COVENANT_ADDRESS, COVENANT_SOME } kind;
    long long number;
    double real;
    float single;
    const volatile void *address;
};

#define ARG_ANY { COVENANT_ANY, 0, 0, 0, 0 }
#define ARG(expected) { COVENANT_NUMBER, expected, 0, 0, 0 }
#define ARG_REAL(expected) { COVENANT_REAL, 0, expected, (float)(expected), 0 }
#define ARG_PTR(expected) { COVENANT_ADDRESS, 0, 0, 0, expected }
#define ARG_SOME { COVENANT_SOME, 0, 0, 0, 0 }

/* In place of an argument: the struct that a call returns. */
#define COVENANT_RESULT 999

/* What a call, by its number from 1, writes through an argument, by its number from 0. */
struct covenant_write {
    size_t call;
    size_t argument;
    size_t offset;
    size_t size;
    const void *bytes;
};

/* An undefined function: what it returns, call by call (0 when the test recorded no more), what it gets, and what it writes. */
struct covenant_stub {
    const char *name;
    const void *values;
    size_t size, count, next;
    const struct covenant_argument *gets;
    size_t each, calls, heard;
    const struct covenant_write *writes;
    size_t write_count;
};

#define COVENANT_STUB(function) static struct covenant_stub function##_stub = { #function, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* A pointer to the place with an argument's number: the call returns that argument. */
static __attribute__((unused)) char covenant_arguments[128];

/* The first call that was not as expected. */
static char covenant_call[400];

static __attribute__((unused)) void covenant_answers(struct covenant_stub *stub, const void *values, size_t size, size_t count)
{
    stub->values = values;
    stub->size = size;
    stub->count = count;
    stub->next = 0;
}

static __attribute__((unused)) void covenant_expects(struct covenant_stub *stub, const struct covenant_argument *gets,
                                                     size_t arguments, size_t calls)
{
    stub->gets = gets;
    stub->each = calls > 0 ? arguments / calls : 0;
    stub->calls = calls;
    stub->heard = 0;
}

static __attribute__((unused)) void covenant_writes(struct covenant_stub *stub, const struct covenant_write *writes, size_t count)
{
    stub->writes = writes;
    stub->write_count = count;
}

static __attribute__((unused)) void covenant_write_through(const struct covenant_stub *stub, size_t argument, void *to)
{
    size_t i;
    for (i = 0; i < stub->write_count; i++) {
        const struct covenant_write *write = &stub->writes[i];
        if (write->call == stub->heard && write->argument == argument) {
            memcpy((char *)to + write->offset, write->bytes, write->size);
        }
    }
}

/* What the calls of a test write, from an array that is named after the function. */
#define COVENANT_WRITES(function) \
    covenant_writes(&function##_stub, function##_writes, sizeof function##_writes / sizeof function##_writes[0])

/* The answers of a test, from an array that is named after the function; what its calls get, from another; how many they are. */
#define COVENANT_RETURNS(function) \
    covenant_answers(&function##_stub, function##_returns, sizeof function##_returns[0], \
                     sizeof function##_returns / sizeof function##_returns[0])
#define COVENANT_GETS(function, calls) \
    covenant_expects(&function##_stub, function##_gets, sizeof function##_gets / sizeof function##_gets[0], calls)
#define COVENANT_CALLED(function, calls) covenant_expects(&function##_stub, 0, 0, calls)

static __attribute__((unused)) const void *covenant_next(struct covenant_stub *stub)
{
    static const unsigned long long zero[2];
    if (stub->next == stub->count) {
        return zero;
    }
    return (const char *)stub->values + stub->size * stub->next++;
}

static __attribute__((unused)) void covenant_called(struct covenant_stub *stub)
{
    stub->heard++;
}

static __attribute__((unused)) void covenant_got(struct covenant_stub *stub, size_t index, const char *name, int class,
                                                 const volatile void *value, size_t size)
{
    const struct covenant_argument *expected;
    unsigned char bytes[8] = { 0 };
    unsigned long long found = 0, wanted, mask = 0;
    int right = 1;
    size_t i;
    if (stub->gets == 0 || stub->heard > stub->calls || index >= stub->each || size > 8 || covenant_call[0] != 0) {
        return;
    }
    expected = &stub->gets[(stub->heard - 1) * stub->each + index];
    for (i = 0; i < size; i++) {
        bytes[i] = ((const volatile unsigned char *)value)[i];
        mask = mask << 8 | 0xff;
    }
    memcpy(&found, bytes, sizeof found);
    wanted = (unsigned long long)expected->number;
    if (expected->kind == COVENANT_REAL && class == 8) {
        right = size == 4 ? memcmp(&expected->single, bytes, 4) == 0 : memcmp(&expected->real, bytes, 8) == 0;
    } else if (expected->kind == COVENANT_NUMBER && class >= 1 && class <= 4) {
        right = found == (wanted & mask);
    } else if (expected->kind == COVENANT_ADDRESS && class == 5) {
        wanted = (unsigned long long)(size_t)expected->address;
        right = found == wanted;
    } else if (expected->kind == COVENANT_SOME && class == 5) {
        right = found != 0;
    }
    if (!right) {
        snprintf(covenant_call, sizeof covenant_call, "%.80s, call %lu, %.80s: expected 0x%llx, got 0x%llx", stub->name,
                 (unsigned long)stub->heard, name, wanted & mask, found);
    }
}

#define COVENANT_GOT(function, index, parameter) \
    covenant_got(&function##_stub, index, #parameter, __builtin_classify_type(parameter), \
                 (const volatile void *)&parameter, (size_t)((char *)(&parameter + 1) - (char *)&parameter))
