/* A user's program: a column of a table, through an installed library. */
#include <stdio.h>
#include <trfboost.h>

int main(void)
{
    double    table[3][2] = {{1, 10}, {-2, 20}, {4, 30}};
    int64_t   rows[1][2] = {{0, 3}}, length[] = {3}, stride[] = {sizeof table[0]}, shape[] = {1, 2};
    double    sum = 0;
    trfb_view column, indexes;
    trfb_error details = TRFB_ERROR_INIT;

    trfb_view_strided(&column, table, TRFB_FLOAT64, 1, length, stride, TRFB_READONLY);
    trfb_view_contiguous(&indexes, rows, TRFB_INT64, 2, shape, TRFB_READONLY);
    if (trfb_error_for_indexes(&column, &indexes, TRFB_L1, &sum, &details)) {
        fprintf(stderr, "%s\n", details.message);
        return 1;
    }
    printf("%s: %g\n", trfb_build_info(), sum);
    return sum != 7;
}
