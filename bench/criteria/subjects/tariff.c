// What a parcel costs: zones, weight classes, surcharges and discounts.
// function: price
#include <stdbool.h>

enum zone { HOME = 1, NEAR = 2, FAR = 3, WORLD = 4 };

struct parcel {
    int zone;
    int grams;
    int longest;
    int girth;
    bool fragile;
    bool insured;
    unsigned value;
    unsigned char customer;
};

static int by_weight(int grams)
{
    if (grams <= 0 || grams > 31500)
        return -1;
    if (grams <= 500)
        return 200 + grams;
    if (grams <= 2000)
        return 549 + grams;
    if (grams <= 5000)
        return 2799;
    if (grams < 10000)
        return 3149;
    return 3849;
}

static bool is_bulky(const struct parcel *p)
{
    return p->longest > 1200 || p->longest + p->girth > 3000 || (p->girth > 2000 && p->grams > 10000);
}

static int by_zone(int zone, int price)
{
    switch (zone) {
    case HOME:
        return price;
    case NEAR:
        return price + 500;
    case FAR:
        return price + 1200;
    case WORLD:
        return price + 2900;
    default:
        return -1;
    }
}

static int surcharge(const struct parcel *p)
{
    int more = 0;
    if (is_bulky(p))
        more += 2500;
    if (p->fragile && !(p->zone == WORLD || p->grams > 20000))
        more += 350;
    if (p->insured) {
        if (p->value > 50000)
            return -1;
        more += p->value >= 10000 ? 700 : 250;
    }
    return more;
}

static int discount(unsigned char customer, int price)
{
    if (customer >= 'a' && customer <= 'z')
        return price > 1000 ? 100 : 50;
    if (customer == 'X' || customer == 'Y')
        return 120;
    return 0;
}

int price(struct parcel p)
{
    if (p.longest < 0 || p.longest > 5000 || p.girth < 0 || p.girth > 5000)
        return -2;
    int base = by_weight(p.grams);
    if (base < 0)
        return -1;
    base = by_zone(p.zone, base);
    int more = surcharge(&p);
    if (base < 0 || more < 0)
        return -3;
    int all = base + more;
    all -= discount(p.customer, all);
    if (all < 300)
        all = 300;
    return all;
}
