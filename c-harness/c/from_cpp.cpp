// The header's example, from C++: names are found although C++ decorates its own.
#include <trfboost.h>

#include <cstdio>

int main()
{
    double residual[500];
    int64_t training[1][2] = {{0, 500}};
    double sum = -1;
    trfb_error details = TRFB_ERROR_INIT;
    trfb_view residual_view, training_view;
    const int64_t length[] = {500}, rows[] = {1, 2};
    for (double &sample : residual)
        sample = -0.5;
    trfb_view_contiguous(&residual_view, residual, TRFB_FLOAT64, 1, length, TRFB_READONLY);
    trfb_view_contiguous(&training_view, training, TRFB_INT64, 2, rows, TRFB_READONLY);
    const int32_t status = trfb_error_for_indexes(&residual_view, &training_view, TRFB_L1, &sum, &details);
    const bool right = status == TRFB_STATUS_OK && sum == 250;
    std::printf("%s\ttrfb_error_for_indexes of 500 times -0.5, l1\tstatus 0, sum 250\tstatus %d, sum %g\n",
                right ? "ok" : "FAIL", static_cast<int>(status), sum);
    std::printf("end\t1\n");
    return right ? 0 : 1;
}
