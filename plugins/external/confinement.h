// Forbids system calls to foreign code: seccomp filters for the worker and for planners that are programs. Linux only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace stowage::external {

/// The kind of process that a filter is for.
enum class Confined : std::uint8_t {
    worker,  ///< loads libraries and reads files: may not use the network, nor start a process or a program
    program, ///< may not use the network; may start programs, as a script starts its interpreter
};

/// A filter that makes system calls fail with "operation not permitted", in this process and in all processes that it starts:
/// sockets (a program may use those of the machine itself, AF_UNIX), io_uring, which could open sockets without a call that the
/// filter sees, and for the worker also fork and exec. libseccomp compiles the rules. The filter is compiled before the fork, so
/// that it can be set between fork and exec.
class CallFilter {
public:
    /// No value if the build or the kernel does not support filters (see `confinementMissing`).
    static std::optional<CallFilter> make(Confined whom);

    /// Sets the filter for this thread and for all threads and processes that it starts. It cannot be removed. False if the
    /// kernel refuses. Safe between fork and exec.
    [[nodiscard]] bool apply() const noexcept;

private:
    CallFilter() = default;

    std::shared_ptr<const char[]> instructions_;
    std::uint16_t count_ = 0;
};

/// Exit status and last words of a process for which a filter was made that the kernel then refuses: it does nothing else.
inline constexpr int notConfinedStatus = 72;
inline constexpr std::string_view notConfinedText = "the kernel refuses the filter for system calls"; // ends with a zero byte
inline constexpr std::string_view notConfinedRemedy = "allow seccomp in the container or the service that Stowage runs in";

/// The reason why filters are not supported; empty if they are.
[[nodiscard]] std::string_view confinementMissing();

} // namespace stowage::external
