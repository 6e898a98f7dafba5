// A value or the reason why there is none. C++20 has no std::expected; this is the part of it that is used here,
// kept in plain C++ so that public headers bring no dependency.
#pragma once

#include "core/ir/diagnostic.h"

#include <utility>
#include <variant>

namespace stowage {

/// An error is a diagnostic of severity `error`.
using Error = Diagnostic;

template <typename T>
class [[nodiscard]] Expected {
public:
    Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Expected(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }
    /// The value. Requires that there is one (throws std::bad_variant_access otherwise: a bug in the caller).
    T& operator*() & { return std::get<0>(state_); }
    const T& operator*() const& { return std::get<0>(state_); }
    T&& operator*() && { return std::get<0>(std::move(state_)); }
    T* operator->() { return &std::get<0>(state_); }
    const T* operator->() const { return &std::get<0>(state_); }
    /// The error. Requires that there is no value.
    [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }
    [[nodiscard]] Error&& error() && { return std::get<1>(std::move(state_)); }

private:
    std::variant<T, Error> state_;
};

/// Shorthand for the error side of an `Expected`.
[[nodiscard]] inline Error failure(Code code, std::string message, Position where = {}, std::string remedy = {})
{
    return {Severity::error, code, std::move(message), std::move(where), std::move(remedy)};
}

/// The same with a code that Stowage does not define, for plug-ins with kinds of errors of their own.
[[nodiscard]] inline Error foreignFailure(ForeignCode code, std::string message, Position where = {}, std::string remedy = {})
{
    return {Severity::error, Code::foreign, std::move(message), std::move(where), std::move(remedy), std::move(code)};
}

} // namespace stowage
