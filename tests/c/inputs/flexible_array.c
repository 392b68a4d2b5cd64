// A struct with a flexible array at its end: the array has elements, as many as the code needs.
// function: checksum_of
// expect: covered 14 infeasible 0 unknown 0
struct packet {
    unsigned short kind;
    unsigned short length;
    unsigned char data[];
};

struct entry {
    int key;
    int value;
};

struct table {
    unsigned count;
    struct entry entries[];
};

int checksum_of(struct packet *packet, const struct table *known)
{
    unsigned i;
    int sum = 0;
    if (!packet || !known)
        return -1;
    for (i = 0; i < packet->length && i < 20; i++)
        sum += packet->data[i];
    if (known->count > 2 && known->entries[1].key == packet->kind && known->entries[2].value == 77)
        packet->data[0] = 9;
    return sum == 300;
}
