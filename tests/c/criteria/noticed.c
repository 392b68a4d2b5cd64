// A change that shows only where all else is in order: each check looks at one number, and all give the same answer.
// function: price_of
// options: -c mutation --pointers valid
// expect: mutation covered 92 infeasible 0 unknown 0
struct stay {
    int nights;
    int guests;
    int floor;
};

int price_of(const struct stay *stay, int *discount)
{
    if (stay->nights < 1 || stay->nights > 30)
        return -1;
    if (stay->guests < 1 || stay->guests > 6)
        return -1;
    if (stay->floor < 3 || stay->floor > 9)
        return -1;
    *discount = stay->nights > 20 ? stay->nights - 10 : 0;
    return (stay->nights + 7) * (stay->guests + 2) * 11 + stay->floor;
}
