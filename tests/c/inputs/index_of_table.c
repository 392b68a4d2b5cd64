// An index that the code compares with nothing is expected to lie in the table; one that it looks at may be anything.
// function: price_of
// options: -c branch,runtime-error
// expect: covered 6 infeasible 0 unknown 0
// expect: contract 16:17 item is an index of the table
// expect: defect out-of-bounds 19:35
struct order {
    unsigned item, colour;
};
static const int prices[5] = { 120, 80, 15, 99, 240 };
static const int extra[3] = { 0, 5, 10 };

int price_of(const struct order *order, unsigned item, unsigned count);
int price_of(const struct order *order, unsigned item, unsigned count)
{
    int price = prices[item];
    if (!order)
        return price;
    price += order->colour <= 3 ? extra[order->colour] : 20;
    if (count > 9)
        price -= 10;
    return price;
}
