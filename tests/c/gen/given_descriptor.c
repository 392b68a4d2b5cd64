// A descriptor that somebody gives is one of those that are open, none, or one that runs know nothing of: not one way for each number.
// Standard input cannot be written to, natively neither.
// function: announce
// expect: covered 6 infeasible 0 unknown 0
#include <string.h>
#include <unistd.h>

int announce(int out, const char *name)
{
    size_t length;
    if (name == NULL)
        return -1;
    length = strlen(name);
    if (write(out, name, length) != (ssize_t)length)
        return -2;
    return length > 3 ? 3 : (int)length;
}
