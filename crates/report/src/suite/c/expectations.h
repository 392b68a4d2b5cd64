/* A part of runner.c: what a run left behind, held against what is expected. */

static void fail_bytes(const char *what, const void *expected, const void *found, unsigned long size)
{
    unsigned long i;
    fail("#   %s: expected 0x", what);
    for (i = size; i > 0; i--)
        fail("%02x", ((const unsigned char *)expected)[i - 1]);
    fail(", found 0x");
    for (i = size; i > 0; i--)
        fail("%02x", ((const unsigned char *)found)[i - 1]);
    fail("\n");
}

void covenant_expect_bytes(const char *what, const void *object, unsigned long offset, unsigned long size,
                           const char *bytes)
{
    const char *found = (const char *)object + offset;
    if (!same(found, bytes, size))
        fail_bytes(what, bytes, found, size);
}

void covenant_expect(const char *what, const void *object, unsigned long offset, unsigned size,
                     unsigned long long bits)
{
    unsigned long long found = 0;
    unsigned unused = 64 - 8 * size;
    copy(&found, (const char *)object + offset, size);
    bits = bits << unused >> unused;
    if (found != bits)
        fail("#   %s: expected %lld (0x%llx), found %lld (0x%llx)\n", what, (long long)(bits << unused) >> unused,
             bits, (long long)(found << unused) >> unused, found);
}

/* One NaN is as good as another. */
void covenant_expect_float(const char *what, const void *object, unsigned long offset, unsigned size,
                           unsigned long long bits)
{
    double expected = 0, found = 0;
    const char *place = (const char *)object + offset;
    if (size == 4) {
        float value;
        copy(&value, &bits, 4);
        expected = value;
        copy(&value, place, 4);
        found = value;
    } else {
        copy(&expected, &bits, 8);
        copy(&found, place, 8);
    }
    if (!same(place, &bits, size) && !(expected != expected && found != found))
        fail("#   %s: expected %.17g, found %.17g\n", what, expected, found);
}

void covenant_expect_pointer(const char *what, const void *object, unsigned long offset, const void *target)
{
    const void *found;
    copy(&found, (const char *)object + offset, sizeof found);
    if (found != target)
        fail("#   %s: expected the address %p, found %p\n", what, target, found);
}

void covenant_expect_some(const char *what, const void *object, unsigned long offset)
{
    const void *found;
    copy(&found, (const char *)object + offset, sizeof found);
    if (found == NULL)
        fail("#   %s: expected an object, found NULL\n", what);
}

/* One bit after the other: a field need not begin at a byte, and may touch nine of them. */
void covenant_expect_bits(const char *what, const void *object, unsigned long offset, unsigned first, unsigned width,
                          unsigned long long bits)
{
    const unsigned char *bytes = (const unsigned char *)object + offset;
    unsigned long long found = 0;
    unsigned i, unused = 64 - width;
    for (i = 0; i < width; i++)
        found |= (unsigned long long)(bytes[(first + i) / 8] >> (first + i) % 8 & 1) << i;
    bits = bits << unused >> unused;
    if (found != bits)
        fail("#   %s: expected %llu, found %llu\n", what, bits, found);
}

void covenant_expect_function(const char *what, const void *object, unsigned long offset, void (*target)(void))
{
    if (!same((const char *)object + offset, &target, sizeof target))
        fail("#   %s: points to another function\n", what);
}

const void *covenant_behind(const void *object, unsigned long offset)
{
    const void *found;
    copy(&found, (const char *)object + offset, sizeof found);
    /* What is wrong is told already, since pointers are looked at before what is behind them. */
    if (found == NULL) {
        fail("#   the test ends here\n");
        exit(0);
    }
    return found;
}

void covenant_expect_device(void)
{
    const char *wrong = covenant_device_end();
    if (wrong != NULL)
        fail("#   %s\n", wrong);
}
