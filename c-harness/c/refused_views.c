/* What the validator refuses: every kind of fault, planted in every array
 * argument of every function. One line for each kind and function. */
#include "calls.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

/* Where a fault can be planted. */
enum place { ANYWHERE, IN_OUTPUTS, WHERE_ALIGNMENT_MATTERS, WHERE_NOT_OPTIONAL };

/* Plants a fault in argument number `i`, and says how it has to be refused, where that is more than
 * the status. */
typedef void plant(struct example *example, int i, struct refusal *refusal);

struct kind {
    const char *what;
    int32_t status;
    enum place place;
    plant *plant;
};

static int last_axis(const struct example *example, int i)
{
    return example->call->parameters[i].ndim - 1;
}

/* ------------------------------------------------------------ the descriptor */

static void null(struct example *example, int i, struct refusal *refusal)
{
    (void)refusal;
    example->pointers[i] = NULL;
}

/* The mistake that this is about: the data where the descriptor belongs. */
static void bare_data(struct example *example, int i, struct refusal *refusal)
{
    static double data[32] = { 1.1, 2.2, 3.3 };
    uint32_t magic;
    memcpy(&magic, data, sizeof magic);
    example->pointers[i] = (const trfb_view *)(const void *)data;
    refusal->expected = TRFB_VIEW_MAGIC;
    refusal->actual = magic;
}

static void misaligned_view(struct example *example, int i, struct refusal *refusal)
{
    static uint64_t memory[sizeof(trfb_view) / 8 + 1];
    unsigned char *place = (unsigned char *)memory + 4;
    memcpy(place, &example->views[i], sizeof(trfb_view));
    example->pointers[i] = (const trfb_view *)(const void *)place;
    refusal->expected = refusal->actual = ANY; /* there is no magic number to tell of */
}

static void smaller_view(struct example *example, int i, struct refusal *refusal)
{
    example->views[i].size -= 8;
    refusal->expected = sizeof(trfb_view);
    refusal->actual = sizeof(trfb_view) - 8;
}

static void newer_view(struct example *example, int i, struct refusal *refusal)
{
    example->views[i].version++;
    refusal->expected = TRFB_ABI_VERSION;
    refusal->actual = TRFB_ABI_VERSION + 1;
}

/* ------------------------------------------------------------ what it says */

static void ndim_is(struct example *example, int i, struct refusal *refusal, int32_t ndim)
{
    refusal->expected = example->views[i].ndim;
    refusal->actual = example->views[i].ndim = ndim;
}

static void one_dimension_more(struct example *example, int i, struct refusal *refusal)
{
    ndim_is(example, i, refusal, example->views[i].ndim + 1);
}

static void one_dimension_less(struct example *example, int i, struct refusal *refusal)
{
    ndim_is(example, i, refusal, example->views[i].ndim - 1);
}

static void too_many_dimensions(struct example *example, int i, struct refusal *refusal)
{
    ndim_is(example, i, refusal, TRFB_MAX_NDIM + 1);
}

static void less_than_no_dimension(struct example *example, int i, struct refusal *refusal)
{
    ndim_is(example, i, refusal, -1);
}

static void dtype_is(struct example *example, int i, struct refusal *refusal, int32_t dtype)
{
    refusal->expected = example->views[i].dtype;
    refusal->actual = example->views[i].dtype = dtype;
}

static void float32(struct example *example, int i, struct refusal *refusal)
{
    dtype_is(example, i, refusal, 'f' << 8 | 4);
}

static void int32(struct example *example, int i, struct refusal *refusal)
{
    dtype_is(example, i, refusal, 'i' << 8 | 4);
}

static void boolean(struct example *example, int i, struct refusal *refusal)
{
    dtype_is(example, i, refusal, TRFB_BOOL);
}

static void no_dtype(struct example *example, int i, struct refusal *refusal)
{
    dtype_is(example, i, refusal, -1);
}

static void unknown_flag(struct example *example, int i, struct refusal *refusal)
{
    refusal->actual = 2;
    example->views[i].flags |= 2;
}

static void highest_flag(struct example *example, int i, struct refusal *refusal)
{
    refusal->actual = INT64_MIN;
    example->views[i].flags |= UINT64_C(1) << 63;
}

static void negative_length(struct example *example, int i, struct refusal *refusal)
{
    refusal->axis = last_axis(example, i);
    refusal->actual = example->views[i].shape[refusal->axis] = -1;
}

/* --------------------------------------------------------------- its memory */

static void null_data(struct example *example, int i, struct refusal *refusal)
{
    (void)refusal;
    example->views[i].data = NULL;
}

static void odd_address(struct example *example, int i, struct refusal *refusal)
{
    example->views[i].data = (unsigned char *)example->views[i].data + 1;
    refusal->expected = 8;
    refusal->actual = (int64_t)(uintptr_t)example->views[i].data;
}

static void odd_stride(struct example *example, int i, struct refusal *refusal)
{
    refusal->axis = last_axis(example, i);
    refusal->expected = 8;
    refusal->actual = example->views[i].strides[refusal->axis] += 4;
}

/* (2^40 - 1) * 2^40 bytes from end to end. */
static void long_stride(struct example *example, int i, struct refusal *refusal)
{
    example->views[i].shape[0] = example->views[i].strides[0] = INT64_C(1) << 40;
    refusal->axis = 0;
}

/* Two elements of 2^62 bytes between them, downwards, from an address that is lower than that. */
static void below_address_0(struct example *example, int i, struct refusal *refusal)
{
    example->views[i].shape[0] = 3;
    example->views[i].strides[0] = -(INT64_C(1) << 61);
    refusal->axis = ANY;
}

static void above_the_last_address(struct example *example, int i, struct refusal *refusal)
{
    /* The last address that is aligned, at which there is room for one element. */
    example->views[i].data = (void *)(UINTPTR_MAX - (uintptr_t)(example->views[i].dtype & 0xff) + 1);
    refusal->axis = ANY;
}

/* 2^62 elements of 8 bytes each, if a stride of 0 did not let them take no room; with the other
 * lengths more than can be counted. */
static void uncountable(struct example *example, int i, struct refusal *refusal)
{
    int axis = last_axis(example, i);
    if (axis == 0)
        long_stride(example, i, refusal);
    else
        example->views[i].shape[0] = example->views[i].shape[axis] = INT64_C(1) << 40;
    refusal->axis = ANY;
}

static void extent_too_short(struct example *example, int i, struct refusal *refusal)
{
    /* The array's memory has a margin, which the extent leaves out; and one byte. */
    trfb_view *view = &example->views[i];
    view->base = view->data;
    view->extent = (uint64_t)(array_count(view->ndim, view->shape) * (view->dtype & 0xff) - 1);
    refusal->expected = (int64_t)view->extent;
}

static void base_too_high(struct example *example, int i, struct refusal *refusal)
{
    trfb_view *view = &example->views[i];
    view->base = (unsigned char *)view->data + 1;
    refusal->expected = (int64_t)view->extent;
}

static void base_alone(struct example *example, int i, struct refusal *refusal)
{
    (void)refusal;
    example->views[i].extent = 0;
}

static void extent_alone(struct example *example, int i, struct refusal *refusal)
{
    example->views[i].base = NULL;
    refusal->expected = (int64_t)example->views[i].extent;
}

static void extent_that_wraps(struct example *example, int i, struct refusal *refusal)
{
    example->views[i].extent = UINT64_MAX;
    refusal->expected = -1;
}

/* ------------------------------------------------------------------ outputs */

static void readonly(struct example *example, int i, struct refusal *refusal)
{
    (void)refusal;
    example->views[i].flags = TRFB_READONLY;
}

static void repeated(struct example *example, int i, struct refusal *refusal)
{
    example->views[i].strides[last_axis(example, i)] = 0;
    refusal->actual = i;
}

static const struct kind kinds[] = {
    { "NULL", TRFB_STATUS_NULL, WHERE_NOT_OPTIONAL, null },
    { "bare data pointer", TRFB_STATUS_NOT_A_VIEW, ANYWHERE, bare_data },
    { "misaligned view", TRFB_STATUS_NOT_A_VIEW, ANYWHERE, misaligned_view },
    { "size - 8", TRFB_STATUS_STRUCT_SIZE, ANYWHERE, smaller_view },
    { "version + 1", TRFB_STATUS_ABI_VERSION, ANYWHERE, newer_view },
    { "ndim + 1", TRFB_STATUS_NDIM, ANYWHERE, one_dimension_more },
    { "ndim - 1", TRFB_STATUS_NDIM, ANYWHERE, one_dimension_less },
    { "ndim 9", TRFB_STATUS_NDIM, ANYWHERE, too_many_dimensions },
    { "ndim -1", TRFB_STATUS_NDIM, ANYWHERE, less_than_no_dimension },
    { "dtype float32", TRFB_STATUS_DTYPE, ANYWHERE, float32 },
    { "dtype int32", TRFB_STATUS_DTYPE, ANYWHERE, int32 },
    { "dtype bool", TRFB_STATUS_DTYPE, ANYWHERE, boolean },
    { "dtype -1", TRFB_STATUS_DTYPE, ANYWHERE, no_dtype },
    { "unknown flag", TRFB_STATUS_FLAGS, ANYWHERE, unknown_flag },
    { "unknown flag, bit 63", TRFB_STATUS_FLAGS, ANYWHERE, highest_flag },
    { "negative length", TRFB_STATUS_NEGATIVE_LENGTH, ANYWHERE, negative_length },
    { "data NULL", TRFB_STATUS_NULL_DATA, ANYWHERE, null_data },
    { "odd address", TRFB_STATUS_MISALIGNED, WHERE_ALIGNMENT_MATTERS, odd_address },
    { "odd stride", TRFB_STATUS_MISALIGNED, WHERE_ALIGNMENT_MATTERS, odd_stride },
    { "length times stride wraps", TRFB_STATUS_ADDRESS_SPACE, ANYWHERE, long_stride },
    { "elements below address 0", TRFB_STATUS_ADDRESS_SPACE, ANYWHERE, below_address_0 },
    { "elements above the last", TRFB_STATUS_ADDRESS_SPACE, ANYWHERE, above_the_last_address },
    { "lengths cannot be counted", TRFB_STATUS_ADDRESS_SPACE, ANYWHERE, uncountable },
    { "one byte beyond extent", TRFB_STATUS_BOUNDS, ANYWHERE, extent_too_short },
    { "one byte before base", TRFB_STATUS_BOUNDS, ANYWHERE, base_too_high },
    { "base without extent", TRFB_STATUS_BOUNDS, ANYWHERE, base_alone },
    { "extent without base", TRFB_STATUS_BOUNDS, ANYWHERE, extent_alone },
    { "base + extent wraps", TRFB_STATUS_BOUNDS, ANYWHERE, extent_that_wraps },
    { "read-only output", TRFB_STATUS_READONLY_OUTPUT, IN_OUTPUTS, readonly },
    { "output with stride 0", TRFB_STATUS_OVERLAP, IN_OUTPUTS, repeated },
};

static int belongs(const struct parameter *parameter, enum place place)
{
    if (!parameter->dtype)
        return 0;
    switch (place) {
    case IN_OUTPUTS:
        return parameter->written;
    case WHERE_ALIGNMENT_MATTERS:
        return (parameter->dtype & 0xff) > 1;
    case WHERE_NOT_OPTIONAL:
        return !parameter->optional;
    default:
        return 1;
    }
}

static void every_argument(const struct call *call, const struct kind *kind)
{
    int i;
    for (i = 0; i < call->count; i++) {
        struct refusal refusal = { kind->status, i, -1, 0, 0 };
        struct example example;
        if (!belongs(&call->parameters[i], kind->place))
            continue;
        example_make(&example, call);
        kind->plant(&example, i, &refusal);
        check_refused(&example, refusal);
        example_free(&example);
    }
}

/* Each output laid over each other argument. */
static void shared_memory(const struct call *call)
{
    int output, other;
    for (output = 0; output < call->count; output++)
        for (other = 0; other < call->count; other++) {
            struct refusal refusal = { TRFB_STATUS_OVERLAP, output, -1, 0, other };
            struct example example;
            if (!call->parameters[output].written || !call->parameters[other].dtype || other == output)
                continue;
            example_make(&example, call);
            example.views[output].data = example.views[other].data;
            example.views[output].base = NULL;
            example.views[output].extent = 0;
            /* Of two outputs the first is the one that is told of. */
            if (call->parameters[other].written && other < output) {
                refusal.argument = other;
                refusal.actual = output;
            }
            check_refused(&example, refusal);
            example_free(&example);
        }
}

/* A view in which everything is wrong, mended bit by bit: faults are told in the order of statuses. */
static void order(const struct call *call)
{
    struct example example;
    trfb_view good;
    trfb_view *view = &example.views[0];
    int32_t status;
    example_make(&example, call);
    good = *view;
    memset(view, 0xff, sizeof *view);
    for (status = TRFB_STATUS_NOT_A_VIEW; status <= TRFB_STATUS_MISALIGNED; status++) {
        struct refusal refusal = { status, 0, ANY, ANY, ANY };
        check_refused(&example, refusal);
        switch (status) {
        case TRFB_STATUS_NOT_A_VIEW: view->magic = good.magic; break;
        case TRFB_STATUS_STRUCT_SIZE: view->size = good.size; break;
        case TRFB_STATUS_ABI_VERSION: view->version = good.version; break;
        case TRFB_STATUS_NDIM: view->ndim = good.ndim; break;
        case TRFB_STATUS_DTYPE: view->dtype = good.dtype; break;
        case TRFB_STATUS_FLAGS: view->flags = good.flags; break;
        case TRFB_STATUS_NEGATIVE_LENGTH:
            memcpy(view->shape, good.shape, sizeof view->shape);
            view->data = NULL;
            break;
        case TRFB_STATUS_NULL_DATA: view->data = (unsigned char *)good.data + 1; break;
        default: break;
        }
    }
    *view = good;
    check_number("status of the mended call", TRFB_STATUS_OK, example_call(&example, NULL));
    example_free(&example);
}

int main(void)
{
    size_t kind;
    int call;
    for (call = 0; call < CALLS; call++) {
        const char *function = calls[call].function;
        int i, outputs = 0;
        for (i = 0; i < calls[call].count; i++)
            outputs += calls[call].parameters[i].written;
        for (kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
            char expected[64];
            snprintf(expected, sizeof expected, "status %d, untouched", (int)kinds[kind].status);
            if (kinds[kind].place == IN_OUTPUTS && !outputs)
                continue;
            check_begin(expected, "%s: %s", function, kinds[kind].what);
            every_argument(&calls[call], &kinds[kind]);
            check_end();
        }
        if (outputs && calls[call].parameters != calls[VIEW_CHECK].parameters) {
            check_begin("status 15, both named", "%s: output over another argument", function);
            shared_memory(&calls[call]);
            check_end();
        }
        check_begin("statuses 2 to 10 in turn", "%s: the order of checks", function);
        order(&calls[call]);
        check_end();
    }
    return check_finish();
}
