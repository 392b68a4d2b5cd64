// A least-recently-used cache: hash buckets and a doubly linked list inside fixed arrays.
#include <stdio.h>

enum { CAP = 4, BUCKETS = 7, NONE = -1 };

struct slot {
    int key, value;
    short prev, next, chain;
};

static struct slot slots[CAP];
static short bucket[BUCKETS], head = NONE, tail = NONE, used;
static int hits, misses;

static unsigned place(int key) { return (unsigned)key * 2654435761u % BUCKETS; }

static void detach(short i)
{
    struct slot *s = &slots[i];
    *(s->prev != NONE ? &slots[s->prev].next : &head) = s->next;
    *(s->next != NONE ? &slots[s->next].prev : &tail) = s->prev;
}

static void push(short i)
{
    slots[i].prev = NONE;
    slots[i].next = head;
    *(head != NONE ? &slots[head].prev : &tail) = i;
    head = i;
}

static short find(int key)
{
    short i = bucket[place(key)];
    while (i != NONE && slots[i].key != key)
        i = slots[i].chain;
    return i;
}

static int get(int key)
{
    short i = find(key);
    if (i == NONE) {
        misses++;
        return -1;
    }
    hits++;
    detach(i);
    push(i);
    return slots[i].value;
}

static void put(int key, int value)
{
    short i = find(key);
    if (i != NONE) {
        detach(i);
    } else if (used < CAP) {
        i = used++;
    } else {
        i = tail;
        detach(i);
        short *p = &bucket[place(slots[i].key)];
        while (*p != i)
            p = &slots[*p].chain;
        *p = slots[i].chain;
        printf("evict %d\n", slots[i].key);
    }
    if (find(key) == NONE) {
        slots[i].key = key;
        slots[i].chain = bucket[place(key)];
        bucket[place(key)] = i;
    }
    slots[i].value = value;
    push(i);
}

int main(void)
{
    for (int i = 0; i < BUCKETS; i++)
        bucket[i] = NONE;
    for (int i = 1; i <= 4; i++)
        put(i, i * 10);
    printf("%d\n", get(1));
    printf("%d\n", get(9));
    put(5, 50);
    put(3, 33);
    put(6, 60);
    for (int i = 1; i <= 3; i++)
        printf("%d\n", get(i));
    for (int i = 0; i < 40; i++)
        if (get(i * 5 % 9) < 0)
            put(i * 5 % 9, i);
    for (short i = head; i != NONE; i = slots[i].next)
        printf("%d=%d ", slots[i].key, slots[i].value);
    printf("\n%d %d\n", hits, misses);
    return hits;
}
