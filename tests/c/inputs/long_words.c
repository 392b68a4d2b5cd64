// Text of 15 characters has more ways through the loop than anybody tries: longer text is tried while these still go on.
// function: longest_word
// expect: covered 14 infeasible 0 unknown 0
int longest_word(const char *text);
int longest_word(const char *text)
{
    int longest = 0, length = 0, digits = 0;
    if (!text)
        return -1;
    for (; *text; text++) {
        if (*text == ' ') {
            length = 0;
        } else {
            if (*text >= '0' && *text <= '9')
                digits++;
            if (++length > longest)
                longest = length;
        }
    }
    return longest > 20 ? 20 : longest + digits;
}
