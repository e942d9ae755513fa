#include "check.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int checks, failures;

/* The open check. */
static char open_what[256], open_expected[256], first_failure[512];
static int parts, open_fails;

static void print(int holds, const char *what, const char *expected, const char *actual)
{
    checks++;
    failures += !holds;
    printf("%s\t%s\t%s\t%s\n", holds ? "ok" : "FAIL", what, expected, actual);
    fflush(stdout); /* a crash in the next check shall not take this line along */
}

void check_equal(const char *what, int64_t expected, int64_t actual)
{
    char texts[2][32];
    snprintf(texts[0], sizeof texts[0], "%" PRId64, expected);
    snprintf(texts[1], sizeof texts[1], "%" PRId64, actual);
    print(expected == actual, what, texts[0], texts[1]);
}

void check_begin(const char *expected, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(open_what, sizeof open_what, format, arguments);
    va_end(arguments);
    snprintf(open_expected, sizeof open_expected, "%s", expected);
    parts = open_fails = 0;
}

void check_part(int holds, const char *format, ...)
{
    va_list arguments;
    parts++;
    if (holds || open_fails++)
        return;
    va_start(arguments, format);
    vsnprintf(first_failure, sizeof first_failure, format, arguments);
    va_end(arguments);
}

void check_end(void)
{
    char actual[640];
    if (open_fails)
        snprintf(actual, sizeof actual, "%d of %d differ, first: %s", open_fails, parts, first_failure);
    else
        snprintf(actual, sizeof actual, "so in %d comparisons", parts);
    /* A check without a comparison has not been made. */
    print(!open_fails && parts, open_what, open_expected, actual);
}

int check_number(const char *what, int64_t expected, int64_t actual)
{
    check_part(expected == actual, "%s is %" PRId64 ", not %" PRId64, what, actual, expected);
    return expected == actual;
}

void check_same_bits(const char *what, const double *expected, const double *actual, int64_t count)
{
    int64_t i;
    for (i = 0; i < count; i++) {
        int same = !memcmp(&expected[i], &actual[i], sizeof(double)) || (isnan(expected[i]) && isnan(actual[i]));
        check_part(same, "%s[%" PRId64 "] is %.17g, not %.17g", what, i, actual[i], expected[i]);
    }
}

void check_close(const char *what, const double *expected, const double *actual, int64_t count)
{
    int64_t i;
    for (i = 0; i < count; i++) {
        int close = fabs(expected[i] - actual[i]) <= 1e-12 * (1 + fabs(expected[i]));
        check_part(close, "%s[%" PRId64 "] is %.17g, not %.17g", what, i, actual[i], expected[i]);
    }
}

int check_finish(void)
{
    printf("end\t%d\n", checks);
    return failures != 0;
}
