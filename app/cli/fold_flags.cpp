#include "app/cli/fold_flags.h"

#include "app/session/number_words.h"

#include <fmt/format.h>

#include <charconv>

namespace stowage::cli {

namespace {

Expected<std::vector<std::int32_t>> indices(const std::string& option, const std::string& text)
{
    std::vector<std::int32_t> values;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find(',', begin), text.size());
        std::int32_t value = 0;
        const auto [rest, error] = std::from_chars(text.data() + begin, text.data() + end, value);
        if (error != std::errc() || rest != text.data() + end || value < 0)
            return failure(Code::usage, fmt::format("{} {}: not positions of arguments", option, text), {},
                           "positions are counted from 0 and written 0,2,3");
        values.push_back(value);
        begin = end + 1;
    }
    return values;
}

} // namespace

void FoldFlags::declare(Arguments& app)
{
    const std::string group = "Folding";
    const auto note = [this](const char* name) { return [this, name] { given_ = given_.empty() ? name : given_; }; };
    app.option("--mode", mode_,
               "run-time: one function that runs in the first run; split: constants of the file in one for the "
               "compiler; evaluate: these are computed now")
        .oneOf({"run-time", "split", "evaluate"})
        .group(group)
        .showDefault()
        .whenGiven(note("--mode"));
    app.option("--postpone", postpone_, "move size-expanding ops after their element-wise users, so that these fold")
        .oneOf({"on", "off"})
        .group(group)
        .showDefault()
        .whenGiven(note("--postpone"));
    app.option("--threshold", threshold_, "fold a value if it has at most this multiple of the bytes of its constants")
        .typeName("X")
        .group(group)
        .showDefault()
        .whenGiven(note("--threshold"));
    app.option("--compiletime-args", compileTimeArguments_, "arguments of the entry that are constants known to the compiler")
        .typeName("0,1")
        .group(group)
        .whenGiven(note("--compiletime-args"));
    app.option("--runtime-args", runTimeArguments_, "arguments of the entry that are constants known in the first run")
        .typeName("2")
        .group(group)
        .whenGiven(note("--runtime-args"));
    app.option("--cache", cache_, "one map of folded tensors for the process, or one for each function")
        .oneOf({"process", "function"})
        .group(group)
        .showDefault()
        .whenGiven(note("--cache"));
    app.option("--cache-capacity", capacity_,
               "capacity of a map; when it is full, the least recently used tensor is removed, and folded again when needed")
        .typeName("BYTES")
        .group(group)
        .showDefault("unbounded")
        .whenGiven(note("--cache-capacity"));
}

Expected<FoldRequest> FoldFlags::request() const
{
    FoldRequest request;
    request.options.mode = foldMode(mode_).value_or(FoldMode::runTime);
    request.options.postpone = postpone_ == "on";
    request.options.threshold = threshold_;
    auto compileTime = indices("--compiletime-args", compileTimeArguments_);
    if (!compileTime) return std::move(compileTime).error();
    request.options.compileTimeArguments = *std::move(compileTime);
    auto runTime = indices("--runtime-args", runTimeArguments_);
    if (!runTime) return std::move(runTime).error();
    request.options.runTimeArguments = *std::move(runTime);
    request.cache = cache_ == "process" ? CacheSharing::process : CacheSharing::function;
    if (!capacity_.empty()) {
        const auto bytes = parseBytes(capacity_);
        if (!bytes)
            return failure(Code::usage, fmt::format("--cache-capacity {}: not a size", capacity_), {},
                           "sizes are written 65536, 0x10000, 64KiB or 1.5MiB");
        request.cacheCapacity = *bytes;
    }
    return request;
}

} // namespace stowage::cli
