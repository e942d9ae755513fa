/* trfboost.hpp: what C++17 can do better than C, over trfboost.h, in a header alone.
 *
 * `trfboost::view` makes descriptors of what C++ programs hold arrays in; the element type comes from
 * the C++ type, const data give a read-only view, and where the memory is known its bounds go along,
 * for the library to hold shape and strides against. `trfboost::call` turns a status into an exception:
 *
 *     std::vector<double>  signal(500);
 *     std::vector<int64_t> rows = {0, 200, 250, 500};
 *     double               sum;
 *     trfboost::call(trfb_error_for_indexes, trfboost::view(signal),
 *                    trfboost::view(rows, {2, 2}), TRFB_L1, &sum);
 *
 * A view holds no memory: the array has to outlive the call.
 */
#ifndef TRFBOOST_HPP
#define TRFBOOST_HPP

#include "trfboost.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#if __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

namespace trfboost {

/* A call that did not fit, or failed: what trfb_error says, with the sentence as what(). */
class error : public std::runtime_error {
public:
    explicit error(const trfb_error &details)
        : std::runtime_error(details.message), details_(details) {}

    trfb_status  status() const noexcept { return static_cast<trfb_status>(details_.status); }
    std::int32_t argument() const noexcept { return details_.argument; }
    std::int32_t axis() const noexcept { return details_.axis; }
    std::int64_t expected() const noexcept { return details_.expected; }
    std::int64_t actual() const noexcept { return details_.actual; }

private:
    trfb_error details_;
};

namespace detail {

template <class T> constexpr std::int32_t dtype_of()
{
    using element = std::remove_cv_t<T>;
    static_assert(std::is_same_v<element, bool> || std::is_arithmetic_v<element>,
                  "an array of numbers is expected");
    constexpr char kind = std::is_same_v<element, bool>       ? 'b'
                          : std::is_floating_point_v<element> ? 'f'
                          : std::is_signed_v<element>         ? 'i'
                                                              : 'u';
    return (static_cast<std::int32_t>(kind) << 8) | static_cast<std::int32_t>(sizeof(element));
}

template <class T> constexpr std::uint64_t flags_of()
{
    return std::is_const_v<T> ? TRFB_READONLY : 0u;
}

/* A view goes to C by address, everything else as it is. */
inline const trfb_view *passed(const trfb_view &view) { return &view; }
template <class T> std::enable_if_t<!std::is_same_v<std::decay_t<T>, trfb_view>, T> passed(T value) { return value; }

inline void check_rank(std::size_t rank)
{
    if (rank > TRFB_MAX_NDIM)
        throw std::invalid_argument("trfboost::view: more than TRFB_MAX_NDIM dimensions");
}

} // namespace detail

/* An array at an address, with lengths and, in elements and of any sign, strides. What memory it lies
 * in is not known. */
template <class T>
trfb_view view(T *data, std::initializer_list<std::int64_t> extents, std::initializer_list<std::int64_t> strides)
{
    detail::check_rank(extents.size());
    if (extents.size() != strides.size())
        throw std::invalid_argument("trfboost::view: as many strides as extents are needed");
    std::int64_t in_bytes[TRFB_MAX_NDIM] = {};
    std::size_t  axis = 0;
    for (std::int64_t stride : strides)
        in_bytes[axis++] = stride * static_cast<std::int64_t>(sizeof(T));
    trfb_view result;
    trfb_view_strided(&result, data, detail::dtype_of<T>(), static_cast<std::int32_t>(extents.size()),
                      extents.begin(), in_bytes, detail::flags_of<T>());
    return result;
}

/* An array at an address in C order (last axis contiguous). */
template <class T> trfb_view view(T *data, std::initializer_list<std::int64_t> extents)
{
    detail::check_rank(extents.size());
    trfb_view result;
    trfb_view_contiguous(&result, data, detail::dtype_of<T>(), static_cast<std::int32_t>(extents.size()),
                         extents.begin(), detail::flags_of<T>());
    return result;
}

/* Element type of a container with data() and size(): std::vector, std::array, std::span and the like. */
template <class Container>
using element_of = std::remove_pointer_t<decltype(std::declval<Container &>().data())>;

/* A container in C order with these lengths. Its memory is known: lengths that reach beyond it are an
 * error of the call, not a crash. */
template <class Container, class T = element_of<Container>>
trfb_view view(Container &container, std::initializer_list<std::int64_t> extents)
{
    trfb_view result = view(container.data(), extents);
    if (container.size() > 0) {
        result.base = container.data();
        result.extent = container.size() * sizeof(T);
    }
    return result;
}

/* A container as an array of one dimension. */
template <class Container, class T = element_of<Container>> trfb_view view(Container &container)
{
    return view(container, {static_cast<std::int64_t>(container.size())});
}

#ifdef __cpp_lib_mdspan
/* A std::mdspan with any strided layout. */
template <class T, class Extents, class Layout> trfb_view view(const std::mdspan<T, Extents, Layout> &array)
{
    constexpr std::size_t rank = Extents::rank();
    static_assert(rank <= TRFB_MAX_NDIM, "more than TRFB_MAX_NDIM dimensions");
    std::int64_t extents[TRFB_MAX_NDIM] = {}, strides[TRFB_MAX_NDIM] = {};
    for (std::size_t axis = 0; axis < rank; axis++) {
        extents[axis] = static_cast<std::int64_t>(array.extent(axis));
        strides[axis] = static_cast<std::int64_t>(array.stride(axis) * sizeof(T));
    }
    trfb_view result;
    trfb_view_strided(&result, array.data_handle(), detail::dtype_of<T>(), static_cast<std::int32_t>(rank),
                      extents, strides, detail::flags_of<T>());
    return result;
}
#endif

/* Calls a function of trfboost.h. Views may be given in place of pointers to views, nullptr for what
 * is optional; the pointer to details at the end of the C parameter list is left out. A status other
 * than 0 is thrown as trfboost::error. */
template <class Function, class... Arguments> void call(Function *function, Arguments &&...arguments)
{
    trfb_error details = TRFB_ERROR_INIT;
    if (function(detail::passed(arguments)..., &details) != TRFB_STATUS_OK)
        throw error(details);
}

} // namespace trfboost

#endif /* TRFBOOST_HPP */
