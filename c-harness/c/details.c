/* How a failure is told: into a struct of the right size, or not at all. */
#include "calls.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

enum { PATTERN = 0x5A };

/* Sizes of other libraries' structs, as it were. */
static const uint32_t sizes[] = { 0, 1, sizeof(trfb_error) - 8, sizeof(trfb_error) + 8, UINT32_MAX };

/* A good call and a bad one, with a struct of another size. */
static void another_size(const struct call *call)
{
    size_t i;
    int spoiled;
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (spoiled = 0; spoiled < 2; spoiled++) {
            struct example example;
            trfb_error details, before;
            memset(&details, PATTERN, sizeof details);
            details.size = sizes[i];
            before = details;
            example_make(&example, call);
            example.views[0].ndim += spoiled;
            check_number("status", TRFB_STATUS_STRUCT_SIZE, example_call(&example, &details));
            check_part(!memcmp(&details, &before, sizeof details), "details were written");
            check_part(example_untouched(&example), "something was written");
            example_free(&example);
        }
}

static void success(const struct call *call)
{
    struct example example;
    trfb_error details, before;
    memset(&details, PATTERN, sizeof details);
    details.size = sizeof details;
    before = details;
    example_make(&example, call);
    check_number("status", TRFB_STATUS_OK, example_call(&example, &details));
    check_part(!memcmp(&details, &before, sizeof details), "details were written");
    example_free(&example);
    example_make(&example, call);
    check_number("status without details", TRFB_STATUS_OK, example_call(&example, NULL));
    example_free(&example);
}

/* The sentence for the commonest of mistakes. */
static void sentence(void)
{
    struct example example;
    trfb_error details = TRFB_ERROR_INIT;
    example_make(&example, &calls[GENERATE_OPTIONS]);
    example.views[1].shape[1] = T - 1;
    check_begin("argument, axis, both lengths, and who fixed it", "the sentence");
    check_number("status", TRFB_STATUS_LENGTH, example_call(&example, &details));
    check_part(!strcmp(details.message, "x: axis 1 has length 11, but y_error fixed T = 12"), "it is: %s",
               details.message);
    check_end();
    example_free(&example);
}

/* The result of a fit is a struct of the caller's as well. */
static void result_of_another_size(void)
{
    size_t i;
    check_begin("status 3, nothing written", "trfb_fit_result of another size");
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct refusal refusal = { TRFB_STATUS_STRUCT_SIZE, 14, -1, sizeof(trfb_fit_result), 0 };
        struct example example;
        refusal.actual = sizes[i];
        example_make(&example, &calls[BOOSTING_FIT]);
        example.result.size = sizes[i];
        check_refused(&example, refusal);
        example_free(&example);
    }
    check_end();
}

/* Refusals keep no memory; under valgrind it would be seen if they did. */
static void many_refusals(void)
{
    enum { MANY = 1000 };
    struct example example;
    trfb_error details = TRFB_ERROR_INIT;
    int i, refused = 0;
    example_make(&example, &calls[BOOSTING_RUNS]);
    example.scalars.error = 7;
    for (i = 0; i < MANY; i++)
        refused += example_call(&example, &details) == TRFB_STATUS_VALUE;
    example_free(&example);
    check_equal("trfb_boosting_runs: refused again and again", MANY, refused);
}

int main(void)
{
    int call;
    for (call = 0; call < CALLS; call++) {
        check_begin("status 3, nothing written", "%s: details of another size", calls[call].function);
        another_size(&calls[call]);
        check_end();
        check_begin("status 0, details untouched", "%s: success", calls[call].function);
        success(&calls[call]);
        check_end();
    }
    sentence();
    result_of_another_size();
    many_refusals();
    return check_finish();
}
