// flags: -D_GNU_SOURCE
// A chained hash table of strings that grows, with deletion and iteration in insertion order.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *key;
    int value;
    struct entry *next;        // in the bucket
    struct entry *older, *newer; // in insertion order
};

struct table {
    struct entry **bucket;
    size_t buckets, count;
    struct entry *first, *last;
};

static unsigned long hash(const char *s)
{
    unsigned long h = 5381;
    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h;
}

static void grow(struct table *t)
{
    size_t n = t->buckets ? t->buckets * 2 : 4;
    free(t->bucket);
    t->bucket = calloc(n, sizeof *t->bucket);
    t->buckets = n;
    for (struct entry *e = t->first; e; e = e->newer) {
        size_t b = hash(e->key) % n;
        e->next = t->bucket[b];
        t->bucket[b] = e;
    }
}

static struct entry **slot(struct table *t, const char *key)
{
    struct entry **p = &t->bucket[hash(key) % t->buckets];
    while (*p && strcmp((*p)->key, key) != 0)
        p = &(*p)->next;
    return p;
}

static int *get(struct table *t, const char *key)
{
    if (t->count >= t->buckets)
        grow(t);
    struct entry **p = slot(t, key);
    if (!*p) {
        struct entry *e = calloc(1, sizeof *e);
        e->key = strdup(key);
        e->older = t->last;
        if (t->last)
            t->last->newer = e;
        else
            t->first = e;
        t->last = e;
        *p = e;
        t->count++;
    }
    return &(*p)->value;
}

static int drop(struct table *t, const char *key)
{
    struct entry **p = slot(t, key), *e = *p;
    if (!e)
        return 0;
    *p = e->next;
    *(e->older ? &e->older->newer : &t->first) = e->newer;
    *(e->newer ? &e->newer->older : &t->last) = e->older;
    free(e->key);
    free(e);
    t->count--;
    return 1;
}

int main(void)
{
    struct table t = {0};
    const char *text = "the cat and the dog and the bird saw a cat and a fox near the old dog";
    char word[16];
    int used;
    for (const char *p = text; sscanf(p, "%15s%n", word, &used) == 1; p += used)
        ++*get(&t, word);
    for (struct entry *e = t.first; e; e = e->newer)
        printf("%s=%d ", e->key, e->value);
    printf("\n%zu entries\n", t.count);
    printf("%d", drop(&t, "cat"));
    printf("%d", drop(&t, "cat"));
    printf("%d\n", drop(&t, "the"));
    for (int i = 0; i < 300; i++) {
        snprintf(word, sizeof word, "key%d", i * 7 % 100);
        *get(&t, word) += i;
    }
    long sum = 0;
    for (struct entry *e = t.first; e; e = e->newer)
        sum += e->value;
    printf("%zu %zu %ld %d\n", t.count, t.buckets, sum, *get(&t, "key42"));
    while (t.first)
        drop(&t, t.first->key);
    printf("%zu\n", t.count);
    free(t.bucket);
    return 0;
}
