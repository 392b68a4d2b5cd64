// Four values show the border of one comparison: on it, one beside it, and one far away on each side.
// function: fee
// options: -c boundary
// expect: boundary covered 4 infeasible 0 unknown 0
// expect: covered 12:17 parcels == 10
// expect: covered 12:17 parcels > 10
// expect: covered 12:17 parcels == 10 - 1
// expect: covered 12:17 parcels < 10 - 1
// tests: 4
int fee(int parcels)
{
    if (parcels >= 10)
        return 90;
    return 120;
}
