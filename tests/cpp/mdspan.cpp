// A std::mdspan of any strided layout is a view: lengths, strides and constness go along.
#include "check.hpp"
#include "trfboost.hpp"

#ifndef __cpp_lib_mdspan
#error "this program is for a standard library that has std::mdspan"
#endif

#include <cstdio>
#include <vector>

using trfboost::call;
using trfboost::view;

int main()
{
    using two_dimensions = std::dextents<std::size_t, 2>;
    std::vector<double> recording = {3, 10, -1, 20, 2, 30, 5, 40}; // [time, column]
    std::vector<std::int64_t> segment = {0, 4};
    const std::mdspan<const std::int64_t, std::extents<int, 1, 2>> rows(segment.data());
    double sum = -1;

    const std::mdspan right(recording.data(), two_dimensions(4, 2));
    const trfb_view in_rows = view(right);
    check(in_rows.ndim == 2 && in_rows.shape[0] == 4 && in_rows.shape[1] == 2, "extents are the shape");
    check(in_rows.strides[0] == 16 && in_rows.strides[1] == 8 && in_rows.flags == 0, "layout_right");

    const std::mdspan<double, two_dimensions, std::layout_left> left(recording.data(), 2, 4);
    check(view(left).strides[0] == 8 && view(left).strides[1] == 16, "layout_left");

    using one_dimension = std::extents<std::int64_t, 4>;
    const std::layout_stride::mapping every_second(one_dimension(), std::array<std::int64_t, 1>{2});
    const std::mdspan<const double, one_dimension, std::layout_stride> column(recording.data() + 1, every_second);
    check(view(column).flags == TRFB_READONLY && view(rows).flags == TRFB_READONLY, "const elements are read-only");
    call(trfb_error_for_indexes, view(column), view(rows), TRFB_L1, &sum);
    check(sum == 100, "layout_stride: a column of the recording");

    const std::mdspan<double, one_dimension, std::layout_stride> residual(recording.data(), every_second);
    call(trfb_update_error, view(residual), view(column), 0.0, view(rows), 0.1, 0);
    check(recording == std::vector<double>({2, 10, -3, 20, -1, 30, 1, 40}), "what is written lies in the column");

    std::int32_t status = 0;
    try {
        call(trfb_update_error, view(column), view(residual), 0.0, view(rows), 0.1, 0);
    } catch (const trfboost::error &error) {
        status = error.status();
    }
    check(status == TRFB_STATUS_READONLY_OUTPUT, "a const mdspan is no output");
    return failures != 0;
}
