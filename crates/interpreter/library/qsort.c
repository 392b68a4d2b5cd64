/* qsort: a top-down merge sort, so that equal elements keep their order and the comparison function sees the same
 * pairs in the same order as natively. C promises neither, and under a sanitizer it is otherwise: the function sees other
 * pairs before. So it does elsewhere. */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct sort {
    size_t size;
    int (*compare)(const void *, const void *, void *);
    void *argument;
    char *space;
};

static void merge_sort(const struct sort *sort, char *base, size_t count) {
    if (count <= 1) return;
    size_t size = sort->size;
    size_t left_count = count / 2;
    size_t right_count = count - left_count;
    char *left = base;
    char *right = base + left_count * size;
    merge_sort(sort, left, left_count);
    merge_sort(sort, right, right_count);

    char *out = sort->space;
    while (left_count > 0 && right_count > 0) {
        if (sort->compare(left, right, sort->argument) <= 0) {
            memcpy(out, left, size);
            left += size;
            left_count--;
        } else {
            memcpy(out, right, size);
            right += size;
            right_count--;
        }
        out += size;
    }
    /* What is left of the right half is already in its place. */
    if (left_count > 0) memcpy(out, left, left_count * size);
    memcpy(base, sort->space, (count - right_count) * size);
}

/* What the library of the sanitizers does first. */
static void compare_neighbours(const struct sort *sort, char *base, size_t count) {
    for (size_t i = 0; i + 1 < count; i++) {
        char *element = base + i * sort->size;
        sort->compare(element, element + sort->size, sort->argument);
    }
}

static void sort_array(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
                       void *argument) {
    if (count <= 1 || size == 0) return;
    struct sort sort = {.size = size, .compare = compare, .argument = argument};
    sort.space = __lib_alloc(count * size);
    if (sort.space == NULL) return;
    if (__covenant_elsewhere()) compare_neighbours(&sort, base, count);
    merge_sort(&sort, base, count);
    __covenant_free(sort.space);
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *argument) {
    sort_array(base, count, size, compare, argument);
}

struct plain_compare {
    int (*compare)(const void *, const void *);
};

static int call_plain(const void *left, const void *right, void *argument) {
    return ((struct plain_compare *)argument)->compare(left, right);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    struct plain_compare plain = {compare};
    sort_array(base, count, size, call_plain, &plain);
}

void *lfind(const void *key, const void *base, size_t *count, size_t size,
            int (*compare)(const void *, const void *)) {
    const char *element = base;
    for (size_t i = 0; i < *count; i++, element += size) {
        if (compare(key, element) == 0) return (void *)element;
    }
    return NULL;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
    char *element = base;
    for (size_t i = 0; i < *count; i++, element += size) {
        if (compare(key, element) == 0) return element;
    }
    memcpy(element, key, size);
    ++*count;
    return element;
}
