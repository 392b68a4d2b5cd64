// A pointer to one past the end of an array, which is compared and stepped back from.
// function: trim
// expect: covered 8 infeasible 0 unknown 0
int trim(const char *begin, const char *end);
int trim(const char *begin, const char *end)
{
    int blanks = 0;
    if (begin == end)
        return 0;
    while (end != begin && end[-1] == ' ') {
        end--;
        blanks++;
    }
    return end == begin ? -blanks : blanks;
}
