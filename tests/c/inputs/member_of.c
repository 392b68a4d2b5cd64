// A member of a struct, from which the code comes to the struct and to what that points to.
// function: device_ready
// expect: covered 8 infeasible 0 unknown 0
#include <stddef.h>

struct link {
    struct link *next;
};

struct device {
    int id;
    const char *name;
    struct link link;
    int state;
};

int device_ready(struct link *link);
int device_ready(struct link *link)
{
    struct device *device;
    if (!link)
        return -1;
    device = (struct device *)(void *)((char *)link - offsetof(struct device, link));
    if (device->id == 42)
        return 1;
    if (device->name && device->name[0] == 'x')
        return 2;
    return device->state == 3;
}
