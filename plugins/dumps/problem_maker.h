// Builds problems for the readers of other tools' dumps: finds pools by name, and makes names unique.
#pragma once

#include "plugins/api/importer.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace stowage::dumps {

constexpr std::size_t maxNameLength = 1024; ///< bytes; longer names are cut

/// Builds one problem of a dump.
class ProblemMaker {
public:
    explicit ProblemMaker(std::string name);

    /// The pool of this name. If there is none, adds one with this alignment and without a capacity.
    PoolId pool(const std::string& name, Bytes alignment = 1);
    /// Adds a buffer of `size` bytes, live in `live`, in the pool `pool`. A name that is taken gets a number: "a#2".
    Buffer& add(std::string_view name, Bytes size, Interval live, PoolId pool);
    [[nodiscard]] Problem& problem() { return made_.problem; }
    [[nodiscard]] BufferId last() const { return static_cast<BufferId>(made_.problem.buffers.size()) - 1; }
    [[nodiscard]] NamedProblem take() && { return std::move(made_); }

private:
    NamedProblem made_;
    std::map<std::string, PoolId> pools_;
    std::unordered_map<std::string, int> names_; ///< count of buffers of each name
};

/// For importers without options: an error if the request has any.
std::optional<Error> refuseOptions(const ImportRequest& request);

/// The name of the file without its folders, and without `suffix` if it ends with it.
std::string stemOf(std::string_view path, std::string_view suffix);

/// Collects messages, at most 100 of a kind; further ones are counted.
class Notes {
public:
    explicit Notes(const std::string& file) : file_(file) {}
    void add(Severity severity, Code code, std::string message, std::int32_t line, std::string remedy = {});
    [[nodiscard]] Diagnostics take() &&;

private:
    const std::string& file_;
    Diagnostics told_;
    std::size_t more_ = 0;
};

} // namespace stowage::dumps
