// Whatever the text, a module of upstream dialects is read into a program that lowers, and comes back planned and folded as a
// module that can be read again, or there is one error.
//
// MLIR 19.1's own parser writes to memory that it has freed after some texts that it refuses, and calls itself without a limit on
// others. That is why it runs in the worker; and here in a child of its own, whose death is not held against us. What it takes
// there without complaint is read in this process, where the fuzzer sees which code of ours is reached.
#include "plugins/mlir/entry_points.h"
#include "tests/fuzz/rewritten.h"

#include <sanitizer/common_interface_defs.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>

using namespace stowage;

#pragma clang diagnostic ignored "-Wreturn-type-c-linkage" // C++ under a name that is easy to look up
extern "C" mlirfile::EntryPoints stowageMlirEntryPoints();

namespace {

const mlirfile::EntryPoints& reader()
{
    static const mlirfile::EntryPoints points = stowageMlirEntryPoints();
    return points;
}

Expected<Imported> import(std::string_view text)
{
    return reader().import({"m.mlir", text, {}, {{"io", "included"}}});
}

class MlirRewriter final : public Rewriter {
public:
    [[nodiscard]] std::string importer() const override { return "mlir"; }
    [[nodiscard]] Expected<Rewritten> rewrite(const RewriteRequest& request) const override { return reader().rewrite(request); }
};

enum Answer : char { taken, refused, refusedWithoutReason, dead };

/// Parses texts, each in a process of its own. Those are forked from a process that stays small: forking the fuzzer, with all
/// that it has gathered, took 12 ms.
class Parser {
public:
    Parser()
    {
        int both[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM, 0, both) != 0) std::abort();
        const pid_t server = ::fork();
        if (server < 0) std::abort();
        socket_ = both[server == 0 ? 1 : 0];
        ::close(both[server == 0 ? 0 : 1]);
        if (server == 0) serve();
    }
    [[nodiscard]] Answer ask(std::string_view text) const
    {
        std::size_t size = text.size();
        Answer answer = dead;
        if (!move(::write, &size, sizeof size) || !move(::write, text.data(), size) || !move(::read, &answer, sizeof answer))
            std::abort();
        return answer;
    }

private:
    /// All of the bytes, through interruptions by the fuzzer's clock.
    template <typename Bytes, typename Call>
    bool move(Call call, Bytes* bytes, std::size_t size) const
    {
        auto* at = reinterpret_cast<char*>(const_cast<std::remove_const_t<Bytes>*>(bytes));
        while (size > 0) {
            const ssize_t moved = call(socket_, at, size);
            if (moved < 0 && errno == EINTR) continue;
            if (moved <= 0) return false;
            at += moved;
            size -= static_cast<std::size_t>(moved);
        }
        return true;
    }

    [[noreturn]] void serve() const
    {
        // No report and no file of a crash that is not ours.
        __sanitizer_set_death_callback(nullptr);
        for (const int each : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGALRM, SIGXCPU}) std::signal(each, SIG_DFL);
        if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
        std::string text;
        for (std::size_t size = 0; move(::read, &size, sizeof size);) {
            text.resize(size);
            if (!move(::read, text.data(), size)) break;
            const pid_t child = ::fork();
            if (child == 0) ::_exit(firstExit + parse(text));
            int status = 0;
            ::waitpid(child, &status, 0);
            const int answered = WIFEXITED(status) ? WEXITSTATUS(status) - firstExit : dead;
            const Answer answer = answered >= taken && answered < dead ? static_cast<Answer>(answered) : dead;
            if (!move(::write, &answer, sizeof answer)) break;
        }
        ::_exit(0);
    }

    static Answer parse(std::string_view text)
    {
        const rlimit seconds{2, 2};
        ::setrlimit(RLIMIT_CPU, &seconds);
        const auto error = reader().parse(text, "m.mlir");
        if (!error) return taken;
        return codeText(*error).empty() || error->message.empty() ? refusedWithoutReason : refused;
    }

    static constexpr int firstExit = 40; ///< sanitizers end a process with 1
    int socket_ = -1;
};

/// Folds the module in one of the three modes, and reads what comes back.
void foldSafely(std::string_view text)
{
    constexpr std::array modes{"run-time", "split", "evaluate"};
    const auto imported = import(text);
    const auto* program = imported ? std::get_if<Program>(&imported->content) : nullptr;
    if (!program) return;
    const auto folded =
        reader().rewrite({"m.mlir", text, "constant-fold", {{"mode", modes[text.size() % modes.size()]}}, {}, {}, *program, {}});
    if (!folded) {
        if (folded.error().code == Code::foldNotValid || folded.error().message.empty()) std::abort();
        return;
    }
    if (!import(folded->text)) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = test::textOf(data, size);
    static const Parser parser;
    const Answer answer = parser.ask(text);
    if (answer == refusedWithoutReason) std::abort();
    if (answer != taken) return 0;
    test::lowerSafely(import(text));
    test::rewriteSafely(text, {}, MlirRewriter(), import);
    foldSafely(text);
    return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

namespace {

/// The word, number or sign at a place.
std::string_view wordAt(std::string_view text, std::size_t at)
{
    const auto belongs = [&](std::size_t i) {
        return std::isalnum(static_cast<unsigned char>(text[i])) != 0 || std::strchr("%_.@#!", text[i]) != nullptr;
    };
    if (!belongs(at)) return text.substr(at, 1);
    std::size_t begin = at, end = at + 1;
    while (begin > 0 && belongs(begin - 1)) --begin;
    while (end < text.size() && belongs(end)) ++end;
    return text.substr(begin, end - begin);
}

std::string_view lineAt(std::string_view text, std::size_t at)
{
    const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t end = text.find('\n', at);
    return text.substr(begin, end == std::string_view::npos ? end : end + 1 - begin);
}

} // namespace

/// Changes of bytes are hardly ever modules: most changes here are of words and lines, with those that the text has already.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed)
{
    std::minstd_rand random(seed);
    const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random()) % count; };
    if (size == 0 || below(8) == 0) return LLVMFuzzerMutate(data, size, maxSize);
    constexpr std::array numbers{
        "0", "1", "2", "3", "4", "8", "32", "-1", "?", "2147483648", "4611686018427387904", "9223372036854775807"};
    std::string text(test::textOf(data, size));
    const std::string_view old = test::textOf(data, size);
    const auto offset = [&](std::string_view part) { return static_cast<std::size_t>(part.data() - old.data()); };
    const std::string_view word = wordAt(old, below(size)), otherWord = wordAt(old, below(size));
    const std::string_view line = lineAt(old, below(size)), otherLine = lineAt(old, below(size));
    switch (below(6)) {
    case 0: text.replace(offset(word), word.size(), otherWord); break;
    case 1: text.replace(offset(word), word.size(), numbers[below(numbers.size())]); break;
    case 2: text.erase(offset(line), line.size()); break;
    case 3: text.insert(offset(line), otherLine); break;
    case 4: text.replace(offset(line), line.size(), otherLine); break;
    default: // the same word in the whole text
        for (std::size_t at = text.find(word); at != std::string::npos && text.size() < maxSize;
             at = text.find(word, at + otherWord.size()))
            text.replace(at, word.size(), otherWord);
        break;
    }
    if (text.size() > maxSize) text.resize(maxSize);
    std::copy(text.begin(), text.end(), data);
    return text.size();
}
