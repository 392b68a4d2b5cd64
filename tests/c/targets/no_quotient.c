// Divisions that have no result: there are machines that give one all the same, and tests on them end there or say so.
// function: share
// defect: division-by-zero 10:22
// defect: division-overflow 9:22
int share(int total, int parts);
int share(int total, int parts)
{
    if (total < -2147483647 && parts == -1)
        return total / parts;
    int each = total / parts;
    if (each > 10)
        return 1;
    return 0;
}
