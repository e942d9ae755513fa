#include "arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNUSED = 0xA5 };

const char *const way_names[WAYS] = { "contiguous", "transposed", "reversed", "strided", "mixed" };

/* What the ways are made of. */
static const struct {
    int first_axis_fastest;
    int64_t step; /* of the fastest axis, in elements */
    int32_t reversed_every; /* axes 0, every, 2 every, ... run backwards; 0: none */
} properties[WAYS] = {
    { 0, 1, 0 }, { 1, 1, 0 }, { 0, 1, 1 }, { 0, 3, 0 }, { 1, 2, 2 },
};

static void *memory_of(size_t size)
{
    void *memory = malloc(size ? size : 1);
    if (!memory) {
        fprintf(stderr, "no memory for %lu bytes\n", (unsigned long)size);
        exit(2);
    }
    return memory;
}

int64_t array_count(int32_t ndim, const int64_t *shape)
{
    int64_t count = 1;
    int32_t axis;
    for (axis = 0; axis < ndim; axis++)
        count *= shape[axis];
    return count;
}

/* The address of an element, by its number in C order. */
static unsigned char *element(const trfb_view *view, int64_t number)
{
    int64_t offset = 0;
    int32_t axis;
    for (axis = view->ndim - 1; axis >= 0; axis--) {
        offset += number % view->shape[axis] * view->strides[axis];
        number /= view->shape[axis];
    }
    return (unsigned char *)view->data + offset;
}

void array_make(struct array *array, enum way way, int32_t dtype, int32_t ndim, const int64_t *shape,
                const void *elements, uint64_t flags, size_t margin)
{
    int64_t item = dtype & 0xff, stride = item * properties[way].step, strides[TRFB_MAX_NDIM] = { 0 };
    int64_t count = array_count(ndim, shape), first = (int64_t)margin, number;
    int32_t turn;
    array->size = 2 * margin;
    if (count) {
        array->size += (size_t)item;
        for (turn = 0; turn < ndim; turn++) {
            int32_t axis = properties[way].first_axis_fastest ? turn : ndim - 1 - turn;
            int backwards = properties[way].reversed_every && axis % properties[way].reversed_every == 0;
            strides[axis] = backwards ? -stride : stride;
            first += backwards ? (shape[axis] - 1) * stride : 0;
            array->size += (size_t)((shape[axis] - 1) * stride);
            stride *= shape[axis];
        }
    }
    array->memory = memory_of(array->size);
    array->before = memory_of(array->size);
    memset(array->memory, UNUSED, array->size);
    trfb_view_strided(&array->view, array->memory + first, dtype, ndim, shape, strides, flags);
    if (array->size) {
        array->view.base = array->memory;
        array->view.extent = array->size;
    }
    for (number = 0; elements && number < count; number++)
        memcpy(element(&array->view, number), (const unsigned char *)elements + number * item, (size_t)item);
    memcpy(array->before, array->memory, array->size);
}

void array_elements(const struct array *array, void *elements)
{
    int64_t item = array->view.dtype & 0xff, count = array_count(array->view.ndim, array->view.shape), number;
    for (number = 0; number < count; number++)
        memcpy((unsigned char *)elements + number * item, element(&array->view, number), (size_t)item);
}

int array_untouched(const struct array *array)
{
    return !memcmp(array->memory, array->before, array->size);
}

int array_gaps_untouched(const struct array *array)
{
    int64_t item = array->view.dtype & 0xff, count = array_count(array->view.ndim, array->view.shape), number;
    unsigned char *present = memory_of(array->size);
    int untouched;
    /* With the elements of before put back, all is as before. */
    memcpy(present, array->memory, array->size);
    for (number = 0; number < count; number++) {
        size_t offset = (size_t)(element(&array->view, number) - array->memory);
        memcpy(present + offset, array->before + offset, (size_t)item);
    }
    untouched = !memcmp(present, array->before, array->size);
    free(present);
    return untouched;
}

void array_free(struct array *array)
{
    free(array->memory);
    free(array->before);
}

void fill(double *values, int64_t count, uint64_t seed)
{
    int64_t i;
    for (i = 0; i < count; i++) {
        /* The linear congruential generator of Knuth's MMIX, of which the upper 53 bits are used. */
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        values[i] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
    }
}
