#include "app/cli/options.h"

#include "app/session/native_path.h"
#include "app/session/number_words.h"
#include "core/ir/checked.h"
#include "core/lower/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace stowage::cli {

namespace {

Expected<Bytes> bytesOf(const std::string& option, const std::string& value)
{
    if (const auto bytes = parseBytes(value)) return *bytes;
    if (value.empty()) return usage(option + ": the size is missing", "sizes are written 65536, 0x10000, 64KiB or 1.5MiB");
    return usage(fmt::format("{} {}: not a size", option, value), "sizes are written 65536, 0x10000, 64KiB or 1.5MiB");
}

Expected<OptionValues> pairsOf(const std::string& option, const std::vector<std::string>& texts)
{
    OptionValues values;
    for (const std::string& text : texts) {
        auto pair = splitPair(option, text);
        if (!pair) return std::move(pair).error();
        if (std::ranges::find(values, pair->first, &OptionValues::value_type::first) != values.end())
            return usage(fmt::format("{} {} is given twice", option, pair->first), "leave one of them out");
        values.push_back(*std::move(pair));
    }
    return values;
}

} // namespace

Expected<std::pair<std::string, std::string>> splitPair(const std::string& option, const std::string& text)
{
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        return usage(fmt::format("{} {}: write a name, '=' and a value", option, text));
    return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

void InputOptions::declare(Arguments& app)
{
    inputs_.resize(1);
    app.option("INPUT", inputs_.front(), "a file that an importer knows; '-' is standard input")
        .required()
        .typeName("")
        .notEmpty();
    declareReading(app);
}

void InputOptions::declareMany(Arguments& app)
{
    app.option("INPUT", inputs_, "files that an importer knows; '-' is standard input").required().typeName("").notEmpty();
    declareReading(app);
}

void InputOptions::declareReading(Arguments& app)
{
    const std::string group = "Reading";
    const auto noted = [this](const char* name) {
        return [this, name] { givenForReading_ = givenForReading_.empty() ? name : givenForReading_; };
    };
    app.option("--bind", bindings_, "size of a free dimension")
        .typeName("NAME=N")
        .group(group)
        .oneValueEach()
        .whenGiven(noted("--bind"));
    app.option("--import", imports_, "option of the importer ('list importers' shows them)")
        .typeName("KEY=VALUE")
        .group(group)
        .oneValueEach()
        .rare()
        .whenGiven(noted("--import"));
    app.option("--function", function_, "read only this function").typeName("NAME").group(group).notEmpty();
    app.option("--importer", importer_, "read the input with this importer, without detection of its format")
        .typeName("NAME")
        .group(group)
        .notEmpty()
        .rare()
        .whenGiven(noted("--importer"));
}

std::string InputOptions::importerOf(const Environment& environment, const std::string& path) const
{
    if (inputs_.size() < 2 || importer_.empty()) return importer_;
    for (const ImporterInfo& info : environment.session.importers()) {
        if (info.name != importer_) continue;
        const auto own = [&](const std::string& input) {
            return std::any_of(info.suffixes.begin(), info.suffixes.end(),
                               [&](const std::string& suffix) { return input.ends_with("." + suffix); });
        };
        if (std::any_of(inputs_.begin(), inputs_.end(), own) && !own(path)) return {};
    }
    return importer_;
}

std::optional<Model> InputOptions::read(const Environment& environment, const std::string& path) const
{
    return read(environment, path, {});
}

std::optional<Model> InputOptions::readText(const Environment& environment, const std::string& path,
                                            const std::string& text) const
{
    const auto options = openOptions(environment, path);
    if (!options) return std::nullopt;
    const auto bytes = QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size()));
    auto model = environment.session.readText(pathFromNative(path), bytes, *options, environment.interrupt);
    if (!model) {
        environment.fail(model.error());
        return std::nullopt;
    }
    environment.say(model->diagnostics);
    return *std::move(model);
}

std::optional<OpenOptions> InputOptions::openOptions(const Environment& environment, const std::string& path) const
{
    OpenOptions options;
    options.importer = QString::fromStdString(importerOf(environment, path));
    options.function = QString::fromStdString(function_);
    auto bindings = pairsOf("--bind", bindings_);
    auto imports = pairsOf("--import", imports_);
    for (const auto* pairs : {&bindings, &imports})
        if (!*pairs) {
            environment.fail(pairs->error());
            return std::nullopt;
        }
    for (const auto& [name, value] : *bindings) {
        std::int64_t size = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), size);
        if (error != std::errc() || end != value.data() + value.size() || size < 0) {
            environment.fail(usage(fmt::format("--bind {}={}: the size of a dimension is a whole number", name, value)));
            return std::nullopt;
        }
        options.bindings.emplace_back(name, size);
    }
    options.importOptions = *std::move(imports);
    return options;
}

std::optional<Model> InputOptions::read(const Environment& environment, const std::string& path, const Defaults& defaults) const
{
    auto asked = openOptions(environment, path);
    if (!asked) return std::nullopt;
    OpenOptions& options = *asked;
    auto model = environment.session.read(pathFromNative(path), options, environment.interrupt);
    if (!model) {
        environment.fail(model.error());
        return std::nullopt;
    }
    if (defaults) {
        bool more = false;
        for (auto& [key, value] : defaults(*model)) {
            const auto named = [&wanted = key](const auto& option) { return option.first == wanted; };
            if (std::ranges::any_of(options.importOptions, named)) continue;
            options.importOptions.emplace_back(key, value);
            more = true;
        }
        if (more) {
            options.importer = model->importer;
            model = model->bytes.isEmpty()
                        ? environment.session.read(model->path, options, environment.interrupt)
                        : environment.session.readText(model->path, QByteArray(model->bytes), options, environment.interrupt);
            if (!model) {
                environment.fail(model.error());
                return std::nullopt;
            }
        }
    }
    environment.say(model->diagnostics);
    return *std::move(model);
}

void PlanningOptions::declare(Arguments& app, Planner planner)
{
    const auto note = [this](const std::string& name) { given_ = given_.empty() ? name : given_; };
    const auto noted = [note](const char* name) { return [note, name] { note(name); }; };
    const auto notedForPlanner = [this, note](const char* name) {
        return [this, note, name] {
            note(name);
            givenForPlanner_ = givenForPlanner_.empty() ? name : givenForPlanner_;
        };
    };
    std::string group = "Pools and lowering";
    app.option("--target", target_, "pools: an installed target ('list targets') or a file")
        .typeName("NAME|FILE")
        .group(group)
        .notEmpty()
        .whenGiven(noted("--target"));
    app.option("--capacity", capacity_, "capacity of the only pool, such as 65536, 64KiB or 1.5MiB")
        .typeName("BYTES")
        .group(group)
        .notEmpty()
        .whenGiven(noted("--capacity"));
    app.option("--pool", pools_, "capacity of the pool with this name; repeated, it defines the pools of an input without pools")
        .typeName("NAME=BYTES")
        .group(group)
        .oneValueEach()
        .whenGiven(noted("--pool"));
    app.option("--alignment", alignment_,
               "raise every buffer's alignment to N, and round its size up to N; 1: neither. Default: a buffer without an "
               "alignment in the input is aligned to the size of its elements")
        .typeName("N")
        .group(group)
        .whenGiven(noted("--alignment"));
    app.option("--lower", lower_,
               "order=linear|dag|hivm, loops=conservative|precise, views=separate|merged, inplace=allowed|off, "
               "mem-plan-mode=both|local-mem-plan|global-work-space-plan, simt-vf-dynamic-size=KB, "
               "restrict-inplace-as-isa=on|off, disable-tightly-coupled-buffer-reuse=on|off")
        .typeName("KEY=VALUE")
        .group(group)
        .oneValueEach()
        .rare()
        .whenGiven(noted("--lower"));
    memories_.declare(app, note);
    if (planner == noPlanner) return;
    group = "Planning";
    if (planner != manyPlanners)
        app.option("--planner", planner_, "name of the planner ('list planners' shows all)")
            .typeName("NAME")
            .group(group)
            .showDefault()
            .whenGiven([this] { plannerNamed_ = true; })
            .whenGiven(notedForPlanner("--planner"));
    if (planner != onePlanner)
        app.option("--planners", planners_, "planners to compare; all: those of Stowage, plugins: those of plug-ins")
            .typeName("A,B,…|all|plugins")
            .group(group)
            .showDefault()
            .whenGiven([this] { plannersNamed_ = true; })
            .whenGiven(notedForPlanner("--planners"));
    app.flag("-v,--verbose", verbose_, "also show which member of a portfolio made the plan").group(group);
    app.option("--option", options_, "option of the planner")
        .typeName("KEY=VALUE")
        .group(group)
        .oneValueEach()
        .rare()
        .whenGiven(notedForPlanner("--option"));
    app.option("--seed", seed_, "seed of random choices")
        .typeName("N")
        .group(group)
        .showDefault()
        .rare()
        .whenGiven(notedForPlanner("--seed"));
    app.option("--threads", threads_, "maximum number of threads of a planner")
        .typeName("N")
        .group(group)
        .showDefault()
        .between(1, 1024)
        .rare()
        .whenGiven(notedForPlanner("--threads"));
    app.option("--time-limit", timeLimit_, "stop after this number of seconds")
        .typeName("S")
        .group(group)
        .notNegative()
        .whenGiven(notedForPlanner("--time-limit"));
    app.option("--work-limit", workLimit_, "stop after this number of placements tried: the same plan on every machine")
        .typeName("N")
        .group(group)
        .rare()
        .whenGiven(notedForPlanner("--work-limit"));
}

Expected<PlanRequest> PlanningOptions::request(const Environment& environment, const Model& model,
                                               const std::string& function) const
{
    PlanRequest request;
    request.model = model.id;
    request.function = function;
    request.planner = planner_;
    request.seed = seed_;
    request.threads = threads_;
    request.timeLimitSeconds = timeLimit_;
    request.workLimit = workLimit_;
    request.record = keepSteps_;

    auto options = pairsOf("--option", options_);
    if (!options) return std::move(options).error();
    request.options = *std::move(options);
    auto lowering = pairsOf("--lower", lower_);
    if (!lowering) return std::move(lowering).error();
    request.lowering = *std::move(lowering);
    for (const auto& usual : usualLowering_)
        if (model.program &&
            std::ranges::find(request.lowering, usual.first, &OptionValues::value_type::first) == request.lowering.end())
            request.lowering.push_back(usual);
    if (model.problem && !request.lowering.empty()) {
        std::string keys;
        LowerOptions known; // reports a misspelt key as an error before any warning
        for (const auto& [key, value] : request.lowering) {
            if (auto error = known.set(key, value)) return *std::move(error);
            keys += fmt::format("{}{}", keys.empty() ? "" : ", ", key);
        }
        environment.say({warning(
            Code::unusedLowering,
            fmt::format("--lower {} changes nothing: the input is a problem, whose live ranges and conflicts are given", keys),
            {}, "leave it out, or give the program that the problem was made from")});
    }

    if (!alignment_.empty()) {
        const auto alignment = bytesOf("--alignment", alignment_);
        if (!alignment) return alignment.error();
        if (*alignment < 1) return usage("--alignment is at least 1");
        request.alignment = *alignment;
    }

    PoolEdits edits;
    if (!capacity_.empty()) {
        const auto capacity = bytesOf("--capacity", capacity_);
        if (!capacity) return capacity.error();
        edits.capacity = *capacity;
    }
    auto pools = pairsOf("--pool", pools_);
    if (!pools) return std::move(pools).error();
    for (const auto& [name, value] : *pools) {
        const auto bytes = bytesOf("--pool " + name, value);
        if (!bytes) return bytes.error();
        edits.pools.emplace_back(name, *bytes);
    }
    Target target;
    if (!target_.empty()) {
        auto found = environment.session.target(pathFromNative(target_));
        if (!found) return std::move(found).error();
        target = *std::move(found);
    }
    auto memories = memories_.pools();
    if (!memories) return std::move(memories).error();
    if (!memories->empty()) {
        if (!target_.empty()) return usage("the pools are named twice: by --target and by TVM's flags", "leave one of them out");
        target.pools = *std::move(memories);
    }
    auto edited = editedTarget(model, std::move(target), edits);
    if (!edited) return std::move(edited).error();
    if (model.problem && target_.empty() && !pools->empty()) {
        // A file without pools gets one unbounded arena; a CSV cannot name any.
        const auto& own = model.problem->pools;
        const auto kept = [&](const Pool& pool) {
            return std::ranges::any_of(edited->pools, [&](const Pool& now) { return now.name == pool.name; });
        };
        if (!own.empty() && std::ranges::none_of(own, kept))
            environment.say({warning(
                Code::poolsReplaced, fmt::format("the pools of --pool replace '{}', the pool of the input", own.front().name), {},
                fmt::format("--pool {}=BYTES or --capacity BYTES limits the input's own", own.front().name))});
    }
    request.target = *std::move(edited);
    return request;
}

Diagnostics PlanningOptions::worthTelling(const Diagnostics& diagnostics) const
{
    Diagnostics told = diagnostics;
    if (!verbose_)
        std::erase_if(told, [](const Diagnostic& one) {
            return one.severity == Severity::note && (one.code == Code::autoMember || one.code == Code::mergeMember);
        });
    return told;
}

Expected<std::vector<std::string>> PlanningOptions::planners(const Session& session) const
{
    std::vector<std::string> names;
    const auto addAll = [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const std::string& name = session.planners().all()[i]->info().name;
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    };
    bool plugins = false;
    for (std::size_t begin = 0; begin <= planners_.size();) {
        const auto end = std::min(planners_.find(',', begin), planners_.size());
        const std::string name = planners_.substr(begin, end - begin);
        begin = end + 1;
        if (name.empty()) continue;
        if (name == "all" || name == "plugins") {
            const std::size_t own = session.ownPlanners();
            addAll(name == "all" ? 0 : own, name == "all" ? own : session.planners().all().size());
            plugins |= name == "plugins";
            continue;
        }
        const auto planner = session.planners().require(nameIn(name));
        if (!planner) return planner.error();
        if (name.find(':') != std::string::npos)
            if (auto error = checkOptions((*planner)->info(), optionsOf((*planner)->info(), name))) return *std::move(error);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    if (names.empty() && plugins)
        return usage("no plug-in has a planner", "'list plugins' shows what was found, and --plugin-dir adds a folder");
    if (names.empty()) return usage("--planners names no planner");
    for (const std::string& text : options_) {
        const auto pair = splitPair("--option", text);
        if (!pair) return pair.error();
        const auto knows = [&](const std::string& name) {
            const auto planner = session.planners().find(nameIn(name));
            return planner &&
                   std::ranges::find(planner->info().options, pair->first, &OptionSpec::name) != planner->info().options.end();
        };
        if (!std::ranges::any_of(names, knows) && !(plannerNamed_ && knows(planner_)))
            return usage(fmt::format("--option {}: none of the planners has this option", pair->first),
                         "'list planners --format json' shows the options of each");
    }
    return names;
}

OptionValues PlanningOptions::optionsOf(const PlannerInfo& planner, const std::string& spec) const
{
    OptionValues values;
    for (const std::string& text : options_)
        if (const auto pair = splitPair("--option", text);
            pair && std::any_of(planner.options.begin(), planner.options.end(),
                                [&](const OptionSpec& known) { return known.name == pair->first; }))
            values.push_back(*pair);
    for (auto at = spec.find(':'); at < spec.size();) {
        const auto end = std::min(spec.find(':', at + 1), spec.size());
        const std::string text = spec.substr(at + 1, end - at - 1);
        const auto equals = text.find('=');
        values.emplace_back(text.substr(0, equals), equals == std::string::npos ? std::string() : text.substr(equals + 1));
        at = end;
    }
    return values;
}

Expected<OptionValues> PlanningOptions::takeOptions(std::span<const OptionSpec> specs)
{
    OptionValues taken;
    std::vector<std::string> rest;
    for (const std::string& text : options_) {
        auto pair = splitPair("--option", text);
        if (!pair) return std::move(pair).error();
        const bool ours =
            std::any_of(specs.begin(), specs.end(), [&](const OptionSpec& spec) { return spec.name == pair->first; });
        if (ours)
            taken.push_back(*std::move(pair));
        else
            rest.push_back(text);
    }
    options_ = std::move(rest);
    return taken;
}

} // namespace stowage::cli
