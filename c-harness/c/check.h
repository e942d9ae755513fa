/* Checks. Each one is a line on standard output, which the harness reads:
 *
 *     ok<tab>what<tab>expected<tab>actual
 *     FAIL<tab>what<tab>expected<tab>actual
 *
 * and the last line counts them, so that a program that ends early is told
 * from one that had no more to say. */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>

/* One comparison of two integers. */
void check_equal(const char *what, int64_t expected, int64_t actual);

/* A check of many comparisons: what is checked, and what is expected in words;
 * then the comparisons, of which the first that fails is shown; then the end. */
void check_begin(const char *expected, const char *format, ...);
void check_part(int holds, const char *format, ...);
void check_end(void);

/* A comparison of integers within a check. Returns whether they are equal. */
int check_number(const char *what, int64_t expected, int64_t actual);

/* Comparisons of doubles within a check: the same bits (but any NaN is as good
 * as another), or the same to a relative 1e-12. */
void check_same_bits(const char *what, const double *expected, const double *actual, int64_t count);
void check_close(const char *what, const double *expected, const double *actual, int64_t count);

/* Prints the last line; what it returns is main's answer. */
int check_finish(void);

#endif
