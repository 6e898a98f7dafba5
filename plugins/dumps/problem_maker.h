// Problems as the readers of other tools' dumps make them: pools by name, and names that are unique.
#pragma once

#include "plugins/api/importer.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace stowage::dumps {

constexpr std::size_t maxNameLength = 1024; ///< bytes of a name that are kept

/// One problem of a dump in the making.
class ProblemMaker {
public:
    explicit ProblemMaker(std::string name);

    /// The pool of that name; a new one has no capacity, and the alignment given.
    PoolId pool(const std::string& name, Bytes alignment = 1);
    /// A buffer of `size` bytes, live in `live`, in that pool. A name that was there gets a number: "a#2".
    Buffer& add(std::string_view name, Bytes size, Interval live, PoolId pool);
    [[nodiscard]] Problem& problem() { return made_.problem; }
    [[nodiscard]] BufferId last() const { return static_cast<BufferId>(made_.problem.buffers.size()) - 1; }
    [[nodiscard]] NamedProblem take() && { return std::move(made_); }

private:
    NamedProblem made_;
    std::map<std::string, PoolId> pools_;
    std::unordered_map<std::string, int> names_; ///< how often each came
};

/// Refuses every `--import` option, as the importer has none.
std::optional<Error> refuseOptions(const ImportRequest& request);

/// The file's name without folders and without `suffix`, where it ends so.
std::string stemOf(std::string_view path, std::string_view suffix);

/// At most 100 messages of a kind; the rest is counted.
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
