#include "plugins/external/confinement.h"

#ifdef STOWAGE_WITH_SECCOMP
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace stowage::external {

#ifdef STOWAGE_WITH_SECCOMP

namespace {

constexpr unsigned denied = SCMP_ACT_ERRNO(EPERM);

/// "The argument `number` compares so with `value`"; the macros of the library are C.
constexpr scmp_arg_cmp argument(unsigned number, scmp_compare how, std::uint64_t value, std::uint64_t second = 0)
{
    return {number, how, value, second};
}

struct Rules {
    scmp_filter_ctx context = ::seccomp_init(SCMP_ACT_ALLOW);
    bool good = context != nullptr;

    Rules() = default;
    Rules(const Rules&) = delete;
    Rules& operator=(const Rules&) = delete;
    ~Rules()
    {
        if (context != nullptr) ::seccomp_release(context);
    }
    /// A call that this architecture does not have needs no rule.
    void add(unsigned action, int call)
    {
        if (call >= 0) good &= ::seccomp_rule_add(context, action, call, 0) == 0;
    }
    void add(unsigned action, int call, scmp_arg_cmp when)
    {
        if (call >= 0) good &= ::seccomp_rule_add_array(context, action, call, 1, &when) == 0;
    }
};

void forbidNetwork(Rules& rules, Confined whom)
{
    if (whom == Confined::program) {
        rules.add(denied, SCMP_SYS(socket), argument(0, SCMP_CMP_NE, AF_UNIX));
    } else {
        rules.add(denied, SCMP_SYS(socket));
        rules.add(denied, SCMP_SYS(connect));
    }
    rules.add(denied, SCMP_SYS(io_uring_setup));
}

void forbidProcesses(Rules& rules)
{
    rules.add(denied, SCMP_SYS(fork));
    rules.add(denied, SCMP_SYS(vfork));
    rules.add(denied, SCMP_SYS(execve));
    rules.add(denied, SCMP_SYS(execveat));
    // Threads are allowed. What clone3 is asked for cannot be seen by a filter: the C library falls back to clone without it.
    rules.add(denied, SCMP_SYS(clone), argument(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    rules.add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
}

/// The kernel knows filters that answer with an error.
bool kernelHasFilters()
{
    const std::uint32_t action = SECCOMP_RET_ERRNO;
    return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

} // namespace

std::optional<CallFilter> CallFilter::make(Confined whom)
{
    if (!kernelHasFilters()) return std::nullopt;
    Rules rules;
    if (!rules.good) return std::nullopt;
    forbidNetwork(rules, whom);
    if (whom == Confined::worker) forbidProcesses(rules);
    const int file = ::memfd_create("rules", MFD_CLOEXEC);
    if (file < 0) return std::nullopt;
    std::optional<CallFilter> made;
    if (rules.good && ::seccomp_export_bpf(rules.context, file) == 0) {
        const auto size = ::lseek(file, 0, SEEK_END);
        const auto count = static_cast<std::size_t>(size) / sizeof(sock_filter);
        const std::shared_ptr<char[]> bytes(new char[static_cast<std::size_t>(size)]);
        if (size > 0 && count <= BPF_MAXINSNS && ::pread(file, bytes.get(), static_cast<std::size_t>(size), 0) == size) {
            made.emplace(CallFilter());
            made->instructions_ = bytes;
            made->count_ = static_cast<std::uint16_t>(count);
        }
    }
    ::close(file);
    return made;
}

bool CallFilter::apply() const noexcept
{
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the kernel only reads it
    sock_fprog program{count_, reinterpret_cast<sock_filter*>(const_cast<char*>(instructions_.get()))};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

std::string_view confinementMissing()
{
    if (!kernelHasFilters()) return "this kernel has no filters for system calls";
    static const bool made = CallFilter::make(Confined::worker) && CallFilter::make(Confined::program);
    return made ? "" : "the filters for system calls cannot be made on this system";
}

#else

std::optional<CallFilter> CallFilter::make(Confined)
{
    return std::nullopt;
}

bool CallFilter::apply() const noexcept
{
    return false;
}

std::string_view confinementMissing()
{
    return "this build has no libseccomp";
}

#endif

} // namespace stowage::external
