#include "app/session/again_command.h"

#include "app/session/lowering_cache.h"
#include "app/session/targets.h"
#include "core/ir/figures.h"

#include <QFileInfo>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

namespace {

using OptionWords = std::vector<std::pair<std::string, std::string>>; ///< options with their values, in order

/// Words that a shell takes as they are, others in quotes.
std::string shellWord(const std::string& text)
{
    const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               std::string_view("_-./=:,+@%").find(c) != std::string_view::npos;
    });
    if (plain) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

/// The pools that the model is planned for without options.
std::vector<Pool> ownPools(const Model& model)
{
    std::vector<Pool> pools = model.program ? model.program->pools : model.problem->pools;
    if (pools.empty()) pools.emplace_back().name = "arena";
    return pools;
}

/// `--target` for `base` (a name or a file; empty: none), written as `word`, and `--pool` for each pool that has another capacity
/// there. No value if that gives other pools.
std::optional<OptionWords> wordsFrom(const Session& session, const Model& model, const std::vector<Pool>& wanted,
                                     const QString& base, const std::string& word)
{
    OptionWords words;
    Target from;
    if (!base.isEmpty()) {
        auto found = session.target(base);
        if (!found) return std::nullopt;
        from = *std::move(found);
        words.emplace_back("--target", word);
    }
    const std::vector<Pool> own = ownPools(model);
    const std::vector<Pool>& before = from.pools.empty() ? own : from.pools;
    PoolEdits edits;
    for (const Pool& pool : wanted) {
        const auto there = std::ranges::find(before, pool.name, &Pool::name);
        if (!pool.capacity || (there != before.end() && there->capacity == pool.capacity)) continue;
        if (pool.name.find('=') != std::string::npos) return std::nullopt;
        edits.pools.emplace_back(pool.name, *pool.capacity);
        words.emplace_back("--pool", fmt::format("{}={}", pool.name, *pool.capacity));
    }
    const auto made = editedTarget(model, from, edits);
    if (!made || (made->pools.empty() ? own : made->pools) != wanted) return std::nullopt;
    return words;
}

/// TVM's flags for pools that have no properties but names, kinds, targets and capacities; workspaces come first there.
std::optional<OptionWords> bufferFlags(const std::vector<Pool>& pools)
{
    OptionWords words;
    bool constants = false;
    const auto plain = [](const std::string& text) { return text.find_first_of(" \t;,") == std::string::npos; };
    for (const Pool& pool : pools) {
        Pool said;
        said.name = pool.name;
        said.capacity = pool.capacity;
        said.kind = pool.kind;
        said.targets = pool.targets;
        const bool constant = pool.kind == PoolKind::constant;
        if (said != pool || pool.kind == PoolKind::persistent || (constants && !constant) || !plain(pool.name) ||
            !std::ranges::all_of(pool.targets, plain))
            return std::nullopt;
        constants = constant;
        std::string text = "name=" + pool.name;
        if (!pool.targets.empty()) text += fmt::format(";target={}", fmt::join(pool.targets, ","));
        if (pool.capacity) text += fmt::format(";size={}", *pool.capacity);
        words.emplace_back(constant ? "--with-parameter-buffer" : "--with-workspace-buffer", std::move(text));
    }
    return words;
}

/// The options that give the pools of `target`; no value if none do.
std::optional<OptionWords> poolWords(const Session& session, const Model& model, const Target& target)
{
    if (target.pools.empty()) return OptionWords{};
    const std::vector<Target> installed = session.targets();
    const auto isInstalled = [&](const QString& name) {
        return std::ranges::find(installed, name, &Target::name) != installed.end();
    };
    QString name = target.name;
    if (name.endsWith(u'*')) name.chop(1); // edited in the window
    if (isInstalled(name))
        if (auto words = wordsFrom(session, model, target.pools, name, name.toStdString())) return words;
    if (!target.file.isEmpty()) {
        const QString file = QFileInfo(target.file).fileName();
        const std::string word = (isInstalled(file) ? "./" : "") + file.toStdString();
        if (auto words = wordsFrom(session, model, target.pools, target.file, word)) return words;
    }
    if (auto words = wordsFrom(session, model, target.pools, {}, {})) return words;
    return bufferFlags(target.pools);
}

} // namespace

AgainCommand againCommand(const Session& session, const Model& model, const PlanRequest& request, const Run& run,
                          const std::string& file, const std::string& function)
{
    const auto pools = poolWords(session, model, request.target);
    std::vector<std::string> reasons;
    if (model.path.isEmpty()) reasons.emplace_back("the input is in no file");
    if (model.fileProgram && run.program && !sameBesidesEntry(*run.program, *model.fileProgram))
        reasons.emplace_back("its ops were edited");
    if (!request.pins.empty()) reasons.push_back(counted(std::ssize(request.pins), "pinned buffer"));
    if (!request.changes.empty()) reasons.push_back(counted(std::ssize(request.changes), "change"));
    if (request.planner != "auto" && !session.planners().find(request.planner)) reasons.emplace_back("no planner made the plan");
    if (!pools) reasons.emplace_back("no option describes its pools, a target file would (--target FILE)");
    if (!reasons.empty()) return {{}, fmt::format("not from the command line: {}", fmt::join(reasons, "; "))};

    std::string line = "stowage-cli export " + shellWord(model.path == QLatin1String("-") ? "-" : file) + " --as report";
    const auto add = [&](const std::string& option, const std::string& value) { line += ' ' + option + ' ' + shellWord(value); };
    if (!model.options.importer.isEmpty()) add("--importer", model.options.importer.toStdString());
    if (!function.empty()) add("--function", function);
    for (const auto& [name, value] : model.options.bindings) add("--bind", fmt::format("{}={}", name, value));
    for (const auto& [name, value] : model.options.importOptions) add("--import", name + '=' + value);
    for (const auto& [option, value] : *pools) add(option, value);
    if (request.alignment != elementAlignment) add("--alignment", fmt::format("{}", request.alignment));
    for (const auto& [key, value] : request.lowering) add("--lower", key + '=' + value);
    add("--planner", request.planner);
    for (const auto& [key, value] : request.options) add("--option", key + '=' + value);
    if (request.seed != 0) add("--seed", fmt::format("{}", request.seed));
    if (request.workLimit != 0) add("--work-limit", fmt::format("{}", request.workLimit));
    if (request.timeLimitSeconds > 0) add("--time-limit", fmt::format("{:g}", request.timeLimitSeconds));
    return {line + " -o report.html", {}};
}

} // namespace stowage
