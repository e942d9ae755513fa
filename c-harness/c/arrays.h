/* Arrays that lie in memory in several ways, with descriptors of them. */
#ifndef ARRAYS_H
#define ARRAYS_H

#include <trfboost.h>

/* How an array lies in memory. */
enum way {
    WAY_CONTIGUOUS, /* C order */
    WAY_TRANSPOSED, /* Fortran order */
    WAY_REVERSED,   /* C order, along every axis from the end to the start */
    WAY_STRIDED,    /* every third element of a larger array */
    WAY_MIXED,      /* Fortran order, every second element, every other axis from the end */
    WAYS
};
extern const char *const way_names[WAYS];

/* An array in memory of its own. Bytes that belong to no element are 0xA5, as
 * are elements that were not given. */
struct array {
    trfb_view view;
    unsigned char *memory;
    unsigned char *before; /* a copy, to see whether something was written */
    size_t size;
};

/* Makes an array of elements that are given in C order (NULL: none are given).
 * The view knows its bounds. `margin` bytes before and behind belong to it. */
void array_make(struct array *array, enum way way, int32_t dtype, int32_t ndim, const int64_t *shape,
                const void *elements, uint64_t flags, size_t margin);

/* Copies the elements out, in C order. */
void array_elements(const struct array *array, void *elements);

/* Whether no byte has changed since the array was made; and whether none has
 * that belongs to no element. */
int array_untouched(const struct array *array);
int array_gaps_untouched(const struct array *array);

void array_free(struct array *array);

/* The number of elements. */
int64_t array_count(int32_t ndim, const int64_t *shape);

/* Numbers in [-0.5, 0.5) that look random and are always the same. */
void fill(double *values, int64_t count, uint64_t seed);

#endif
