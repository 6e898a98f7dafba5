#include "plugins/dumps/problem_maker.h"

#include <fmt/format.h>

namespace stowage::dumps {

namespace {

constexpr std::size_t maxNotes = 100;

} // namespace

ProblemMaker::ProblemMaker(std::string name)
{
    made_.problem.name = name;
    made_.name = std::move(name);
}

PoolId ProblemMaker::pool(const std::string& name, Bytes alignment)
{
    const auto [found, added] = pools_.emplace(name, static_cast<PoolId>(made_.problem.pools.size()));
    if (added) {
        Pool& pool = made_.problem.pools.emplace_back();
        pool.name = name;
        pool.alignment = alignment;
    }
    return found->second;
}

Buffer& ProblemMaker::add(std::string_view name, Bytes size, Interval live, PoolId pool)
{
    std::string own(name.substr(0, maxNameLength));
    if (own.empty()) own = "buffer";
    for (int count = ++names_[own]; count > 1; count = ++names_[own]) own = fmt::format("{}#{}", own, count);
    Buffer& buffer = made_.problem.buffers.emplace_back();
    buffer.name = std::move(own);
    buffer.size = size;
    buffer.live = {live};
    buffer.pools = {pool};
    return buffer;
}

std::optional<Error> refuseOptions(const ImportRequest& request)
{
    if (request.options.empty()) return std::nullopt;
    return failure(Code::unknownOption, fmt::format("the importer has no option \"{}\"", request.options.front().first),
                   {request.path}, "It has none at all.");
}

std::string stemOf(std::string_view path, std::string_view suffix)
{
    path.remove_prefix(path.rfind('/') + 1); // npos + 1 is 0
    if (path.ends_with(suffix)) path.remove_suffix(suffix.size());
    return path.empty() ? "dump" : std::string(path);
}

void Notes::add(Severity severity, Code code, std::string message, std::int32_t line, std::string remedy)
{
    if (told_.size() >= maxNotes) {
        ++more_;
        return;
    }
    told_.push_back({severity, code, std::move(message), {file_, line}, std::move(remedy)});
}

Diagnostics Notes::take() &&
{
    if (more_ > 0) told_.push_back({Severity::note, Code::more, fmt::format("{} more messages like these", more_), {file_}, {}});
    return std::move(told_);
}

} // namespace stowage::dumps
