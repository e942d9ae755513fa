// All functions from C++, on containers, slices and reversed arrays; and each kind of misuse.
#include "check.hpp"
#include "trfboost.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

using trfboost::call;
using trfboost::view;

// What a call throws; status 0 if nothing.
template <class Call> static trfb_error thrown_by(Call attempt)
{
    trfb_error caught = TRFB_ERROR_INIT;
    try {
        attempt();
    } catch (const trfboost::error &error) {
        caught.status = error.status();
        caught.argument = error.argument();
        caught.axis = error.axis();
        caught.expected = error.expected();
        caught.actual = error.actual();
        std::snprintf(caught.message, sizeof caught.message, "%s", error.what());
        std::printf("     %s\n", error.what());
    }
    return caught;
}

int main()
{
    // A recording, [time, column]: the predictor is column 1, the signal follows it after two samples.
    constexpr std::int64_t samples = 60;
    std::vector<double>    recording(3 * samples);
    for (std::int64_t t = 0; t < samples; t++)
        recording[3 * t + 1] = t % 7 == 0 || t % 11 == 3;
    for (std::int64_t t = 2; t < samples; t++)
        recording[3 * t] = 0.5 * recording[3 * (t - 2) + 1];
    const double   *column = recording.data() + 1;
    const trfb_view y = view(static_cast<const double *>(recording.data()), {samples}, {3});
    const trfb_view x = view(column, {1, samples}, {0, 3});
    check(y.flags == TRFB_READONLY && y.strides[0] == 24 && y.dtype == TRFB_FLOAT64, "const data are read-only");

    std::array<double, 1>             pads = {0};
    std::array<std::int8_t, 1>        active = {1};
    const std::array<std::int64_t, 1> first = {0}, stop = {5};
    const std::vector<std::int64_t>   train = {0, 40}, validate = {40, 60}, both = {0, 60};
    const trfb_view                   rows = view(both, {1, 2});
    check(rows.base == both.data() && rows.extent == 16, "the memory of a container is known");

    double sum = -1;
    call(trfb_error_for_indexes, y, rows, TRFB_L1, &sum);
    double expected = 0;
    for (std::int64_t t = 0; t < samples; t++)
        expected += std::fabs(recording[3 * t]);
    check(sum == expected, "error_for_indexes: a column of the recording");
    double sums[1] = {-1}; // an array goes to C as its address, as everywhere in C++
    call(trfb_error_for_indexes, y, rows, TRFB_L1, sums);
    check(sums[0] == expected, "error_for_indexes: into an array");

    std::vector<double>      new_error(5, -1);
    std::vector<std::int8_t> new_sign(5, 7);
    call(trfb_generate_options, y, x, view(pads), view(active), rows, 0, view(first), view(stop), TRFB_L2, 0.5,
         view(new_error, {1, 5}), view(new_sign, {1, 5}));
    check(new_error[2] == 0 && new_error[1] > 0 && new_sign[2] == 1, "generate_options: lag 2 explains all");

    std::vector<double> backwards(samples); // the residual, stored from its end
    for (std::int64_t t = 0; t < samples; t++)
        backwards[samples - 1 - t] = recording[3 * t];
    const trfb_view residual = view(backwards.data() + samples - 1, {samples}, {-1});
    call(trfb_update_error, residual, view(column, {samples}, {3}), 0.0, rows, 0.5, 2);
    call(trfb_error_for_indexes, residual, rows, TRFB_L2, &sum);
    check(sum == 0, "update_error: a reversed residual");

    std::vector<double> h(5), history(6 * 100);
    trfb_fit_result     result = TRFB_FIT_RESULT_INIT;
    call(trfb_boosting_fit, y, x, view(pads), view(train, {1, 2}), view(validate, {1, 2}), rows, view(first),
         view(stop), 0.25, 0.25, TRFB_L1, 0, view(h, {1, 5}), view(history, {100, 6}), &result);
    check(h[2] == 0.5 && h[1] == 0 && result.entries >= 3 && result.best_step == 1, "boosting_fit");
    call(trfb_boosting_fit, y, x, view(pads), view(train, {1, 2}), view(validate, {1, 2}), rows, view(first),
         view(stop), 0.25, 0.25, TRFB_L1, 0, view(h, {1, 5}), nullptr, nullptr);

    std::vector<double>      hs(5);
    std::vector<std::int8_t> failed(1, 7);
    const trfb_view          ys = view(static_cast<const double *>(recording.data()), {1, samples}, {0, 3});
    call(trfb_boosting_runs, ys, x, view(pads), view(train, {1, 1, 2}), view(validate, {1, 1, 2}),
         view(both, {1, 1, 2}), view(first), view(stop), 0.25, 0.25, TRFB_L1, 0, 1, view(hs, {1, 1, 1, 5}),
         view(failed, {1, 1}), nullptr, nullptr, nullptr, nullptr);
    check(hs == h && failed[0] == 0, "boosting_runs: the filter of boosting_fit");

    std::vector<double> prediction(samples, 9);
    call(trfb_convolve, view(h, {1, 5}), x, view(pads), 0, rows, view(prediction));
    double largest = 0;
    for (std::int64_t t = 0; t < samples; t++)
        largest = std::fmax(largest, std::fabs(prediction[t] - recording[3 * t]));
    check(largest < 1e-12, "convolve");
    call(trfb_view_check, ys, TRFB_FLOAT64, 2, TRFB_ACCESS_READ);

    std::vector<float> single(samples);
    trfb_error         error = thrown_by([&] { call(trfb_error_for_indexes, view(single), rows, TRFB_L1, &sum); });
    check(error.status == TRFB_STATUS_DTYPE && error.argument == 0, "float for double");
    error = thrown_by([&] { call(trfb_update_error, y, view(column, {samples}, {3}), 0.0, rows, 0.5, 2); });
    check(error.status == TRFB_STATUS_READONLY_OUTPUT && error.argument == 0, "a read-only output");
    error = thrown_by([&] { call(trfb_update_error, residual, view(column, {59}, {3}), 0.0, rows, 0.5, 2); });
    check(error.status == TRFB_STATUS_LENGTH && error.expected == 60 && error.actual == 59, "lengths that differ");
    error = thrown_by([&] { call(trfb_error_for_indexes, view(backwards, {61}), rows, TRFB_L1, &sum); });
    check(error.status == TRFB_STATUS_BOUNDS && error.argument == 0, "lengths beyond a container's memory");
    const auto *bare = reinterpret_cast<const trfb_view *>(backwards.data());
    error = thrown_by([&] { call(trfb_error_for_indexes, bare, rows, TRFB_L1, &sum); });
    check(error.status == TRFB_STATUS_NOT_A_VIEW, "the bare address of the data");
    bool refused = false;
    try {
        view(backwards.data(), {2, 30}, {1});
    } catch (const std::invalid_argument &) {
        refused = true;
    }
    check(refused, "strides for some of the dimensions only");
    return failures != 0;
}
