// What foreign code may not ask of the kernel: seccomp filters for the worker and for planners that are programs. Linux.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace stowage::external {

/// Whom a filter is for.
enum class Confined : std::uint8_t {
    worker,  ///< loads libraries and reads files: no network, no other process, no other program
    program, ///< a script may start its interpreter and its helpers: no network
};

/// System calls that fail with "operation not permitted" from then on, here and in all that is started: sockets but for those of
/// the machine itself (AF_UNIX, for programs only), io_uring, which could open them unseen, and for the worker fork and exec. The
/// rules are libseccomp's; the filter is made beforehand, so that it can be set between fork and exec.
class CallFilter {
public:
    /// Nothing where the build or the kernel has no filters (see `confinementMissing`).
    static std::optional<CallFilter> make(Confined whom);

    /// Sets the filter for this thread and all that it starts, for good. False when the kernel refuses. Safe between fork and
    /// exec.
    [[nodiscard]] bool apply() const noexcept;

private:
    CallFilter() = default;

    std::shared_ptr<const char[]> instructions_;
    std::uint16_t count_ = 0;
};

/// Why there are no filters; empty where there are.
[[nodiscard]] std::string_view confinementMissing();

} // namespace stowage::external
