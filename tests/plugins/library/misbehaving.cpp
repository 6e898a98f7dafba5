#include "tests/plugins/library/test_importer.h"

#include <QObject>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace stowage::test {

/// Does what the file says.
Expected<Imported> obey(const ImportRequest& request)
{
    const std::string_view order = request.bytes.substr(std::string_view("misbehaving ").size());
    if (order == "crash") std::raise(SIGSEGV);
    if (order == "abort") std::abort();
    if (order == "exit") std::_Exit(3);
    if (order == "throw") throw std::runtime_error("thrown on purpose");
    if (order == "hang") std::this_thread::sleep_for(std::chrono::hours(1));
    if (order == "print") std::puts("a line on standard output that is no frame");
    if (order == "log") {
        for (int line = 0; line < 200'000; ++line) std::fprintf(stderr, "line %d of a long story\n", line);
    }
    if (order == "memory") {
        for (std::vector<std::string> hoard;;) hoard.emplace_back(std::size_t{64} << 20, 'x');
    }
    if (order == "large") {
        Problem problem;
        problem.name.assign(std::size_t{8} << 20, 'x');
        return Imported{std::move(problem), {}, {}};
    }
    // What the kernel answers is the problem's name: "refused" where it may not be done.
    if (order == "network" || order == "local socket" || order == "other program" || order == "fork" || order == "thread") {
        int result = -1;
        errno = 0;
        if (order == "network") result = ::socket(AF_INET, SOCK_STREAM, 0);
        if (order == "local socket") result = ::socket(AF_UNIX, SOCK_STREAM, 0);
        if (order == "other program") result = ::execl("/bin/true", "true", nullptr);
        if (order == "fork") {
            result = ::fork();
            if (result == 0) std::_Exit(0);
        }
        if (order == "thread") std::thread([&] { result = 1; }).join();
        auto imported = oneBuffer(request);
        std::get<Problem>(imported->content).name = result < 0 && errno == EPERM ? "refused" : result < 0 ? "failed" : "allowed";
        return imported;
    }
    if (order == "large file") {
        // One byte more than 256 MiB; nothing of it is written. Ignored: the signal that would end the process.
        std::signal(SIGXFSZ, SIG_IGN);
        std::FILE* file = std::tmpfile();
        errno = 0;
        const bool made = file && ::ftruncate(::fileno(file), (off_t{256} << 20) + 1) == 0;
        auto imported = oneBuffer(request);
        std::get<Problem>(imported->content).name = made ? "allowed" : errno == EFBIG ? "refused" : "failed";
        return imported;
    }
    if (order == "limits") {
        rlimit core{}, processor{}, addresses{};
        ::getrlimit(RLIMIT_CORE, &core);
        ::getrlimit(RLIMIT_CPU, &processor);
        ::getrlimit(RLIMIT_AS, &addresses);
        auto imported = oneBuffer(request);
        std::get<Problem>(imported->content).name = std::to_string(core.rlim_max) + ' ' + std::to_string(processor.rlim_max) +
                                                    ' ' + std::to_string(addresses.rlim_max >> 20U);
        return imported;
    }
    if (order == "wild ids") return Imported{Program{}, {{.name = "plan", .offsets = {{7, 7, 0}}}}, {}};
    if (order == "error") return foreignFailure({"test-error"}, "the file says so", {request.path, 3}, "Write another file.");
    return oneBuffer(request);
}

class TestPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "misbehaving.json")
    Q_INTERFACES(stowage::Plugin)

public:
    TestPlugin()
    {
        if (std::getenv("STOWAGE_TEST_LOAD_HANGS") != nullptr) std::this_thread::sleep_for(std::chrono::hours(1));
    }
    std::vector<std::shared_ptr<const Importer>> importers() const override
    {
        return {std::make_shared<TestImporter>("test-misbehaving", "misbehaving ", obey)};
    }
};

} // namespace stowage::test

#include "misbehaving.moc"
