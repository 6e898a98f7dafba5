// A value or an error: the part of C++23's std::expected that this project uses.
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
    /// The value. Requires that there is one; otherwise it throws std::bad_variant_access, which is a bug in the caller.
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

/// Makes the error of an `Expected`.
[[nodiscard]] inline Error failure(Code code, std::string message, Position where = {}, std::string remedy = {})
{
    return {Severity::error, code, std::move(message), std::move(where), std::move(remedy)};
}

/// The same with a code that Stowage does not define, for plug-ins with their own kinds of errors.
[[nodiscard]] inline Error foreignFailure(ForeignCode code, std::string message, Position where = {}, std::string remedy = {})
{
    return {Severity::error, Code::foreign, std::move(message), std::move(where), std::move(remedy), std::move(code)};
}

} // namespace stowage
