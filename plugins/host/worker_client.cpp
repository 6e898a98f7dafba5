#include "plugins/host/worker_client.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace stowage {
namespace {

bool claimsSuffix(const PluginRow& row, const std::string& suffix)
{
    return std::any_of(row.importers.begin(), row.importers.end(), [&](const ImporterInfo& info) {
        return std::find(info.suffixes.begin(), info.suffixes.end(), suffix) != info.suffixes.end();
    });
}

/// Usable importer plugins, those that name the file's suffix first; `named`: the number of these.
std::vector<std::string> candidates(const PluginHost& host, const QString& path, std::int32_t& named)
{
    const std::string suffix = QFileInfo(path).suffix().toLower().toStdString();
    std::vector<std::string> first;
    std::vector<std::string> rest;
    for (const PluginRow& row : host.rows()) {
        if (row.state != PluginState::usable || row.importers.empty() || row.manifest) continue;
        (claimsSuffix(row, suffix) ? first : rest).push_back(row.path.toStdString());
    }
    named = static_cast<std::int32_t>(first.size());
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
}

std::string importerNames(const PluginHost& host)
{
    std::string names;
    for (const ImporterInfo& info : host.importers()) names += (names.empty() ? "" : ", ") + info.name;
    return names.empty() ? "none is installed" : names;
}

std::string rewriterNames(const PluginHost& host)
{
    std::string names;
    for (const PluginRow& row : host.rows()) {
        if (row.state != PluginState::usable) continue;
        for (const RewriterInfo& info : row.rewriters) names += (names.empty() ? "" : ", ") + info.importer;
    }
    return names.empty() ? "none" : names;
}

/// The first option that the pass does not have, or whose value is none of its choices.
std::optional<Error> wrongOption(const PassInfo& pass, const std::vector<std::pair<std::string, std::string>>& options)
{
    for (const auto& [key, value] : options) {
        std::string choices;
        const auto spec = std::find_if(pass.options.begin(), pass.options.end(),
                                       [&wanted = key](const OptionSpec& s) { return s.name == wanted; });
        if (spec == pass.options.end()) {
            for (const OptionSpec& known : pass.options) choices += (choices.empty() ? "" : ", ") + known.name;
            return failure(Code::unknownOption, "the pass \"" + pass.name + "\" has no option \"" + key + "\"", {},
                           choices.empty() ? "It has none." : "Its options are: " + choices + ".");
        }
        if (spec->choices.empty()) continue; // a text or a number, which the rewriter reads
        if (std::find(spec->choices.begin(), spec->choices.end(), value) != spec->choices.end()) continue;
        for (const std::string& choice : spec->choices) choices += (choices.empty() ? "" : ", ") + choice;
        return failure(Code::badOption, key + " cannot be \"" + value + "\"", {}, "Choose one of: " + choices + ".");
    }
    return std::nullopt;
}

/// The last frame of that type; null when there is none.
const Frame* last(const std::vector<Frame>& frames, std::string_view type)
{
    const auto found = std::find_if(frames.rbegin(), frames.rend(), [&](const Frame& frame) { return frame.type == type; });
    return found == frames.rend() ? nullptr : &*found;
}

Error garbage(const char* what)
{
    return failure(Code::workerGarbage, std::string("the worker's answer cannot be understood: ") + what, {},
                   "Make sure that all parts of Stowage are of the same version.");
}

/// Ids inside the program, so that what was imported may be looked at; the program itself is verified by whoever uses it.
bool consistent(const Imported& imported)
{
    const auto* program = std::get_if<Program>(&imported.content);
    const auto* problems = std::get_if<std::vector<NamedProblem>>(&imported.content);
    const auto inside = [](Id id, std::size_t size) { return id >= 0 && static_cast<std::size_t>(id) < size; };
    if (problems != nullptr) {
        for (const NamedProblem& each : *problems) {
            const CallStacks& calls = each.calls;
            if (!calls.ofBuffer.empty() && calls.ofBuffer.size() != each.problem.buffers.size()) return false;
            for (const std::int32_t stack : calls.ofBuffer)
                if (stack != none && !inside(stack, calls.stacks.size())) return false;
            for (const auto& stack : calls.stacks)
                for (const std::int32_t frame : stack)
                    if (!inside(frame, calls.frames.size())) return false;
        }
        for (const FilePlan& plan : imported.plans) {
            if (!inside(plan.problem, problems->size())) return false;
            const std::size_t buffers = (*problems)[static_cast<std::size_t>(plan.problem)].problem.buffers.size();
            for (const auto& offset : plan.offsets)
                if (!inside(offset.tensor, buffers)) return false;
        }
        return true;
    }
    if (program == nullptr) return imported.plans.empty();
    if (!inside(program->entry, program->functions.size())) return false;
    for (const FilePlan& plan : imported.plans) {
        for (const auto& offset : plan.offsets) {
            if (!inside(offset.function, program->functions.size())) return false;
            if (!inside(offset.tensor, program->functions[static_cast<std::size_t>(offset.function)].tensors.size()))
                return false;
        }
    }
    return true;
}

/// The answer among the frames of a run that ended well.
Expected<ImportedInput> answer(const std::vector<Frame>& frames)
{
    if (const Frame* error = last(frames, frame::error)) {
        auto diagnostic = fromArchive<Diagnostic>(error->payload);
        if (!diagnostic) return garbage("its error is damaged");
        return std::move(*diagnostic);
    }
    const Frame* imported = last(frames, frame::imported);
    if (imported == nullptr) return garbage("there is none");
    auto value = fromArchive<ImportedInput>(imported->payload);
    if (!value || !consistent(value->imported)) return garbage("it is damaged");
    return std::move(*value);
}

} // namespace

Expected<ImportedInput> WorkerClient::import(const ImportInput& input, const std::stop_token& stop) const
{
    ImportOrder order;
    order.importer = input.importer;
    order.path = input.path.toStdString();
    order.inputFollows = input.bytes.has_value();
    order.bindings = input.bindings;
    order.options = input.options;
    if (input.importer.empty()) {
        order.plugins = candidates(*host_, input.path, order.named);
    } else {
        const PluginRow* row = host_->importerPlugin(input.importer);
        if (row == nullptr)
            return failure(Code::unknownImporter, "there is no importer \"" + input.importer + "\"", {order.path},
                           "Importers by plugin: " + importerNames(*host_) + ".");
        order.plugins = {row->path.toStdString()};
    }

    WorkerRun run{worker_, limits_, {}};
    if (!input.bytes) run.mapped = QFileInfo(input.path).size();
    Diagnostics leftOut;
    for (;;) {
        run.input = {{frame::importOrder, toArchive(order)}};
        if (input.bytes) run.input.push_back({frame::input, std::string(*input.bytes)});
        WorkerOutcome outcome = runWorker(run, stop);
        if (!outcome.error) {
            auto result = answer(outcome.frames);
            if (result) result->imported.diagnostics.insert(result->imported.diagnostics.end(), leftOut.begin(), leftOut.end());
            return result;
        }

        Error& error = *outcome.error;
        if (const Frame* importing = last(outcome.frames, frame::importing)) {
            error.message = "while importer \"" + importing->payload + "\" was reading the input, " + error.message;
            error.where.file = order.path;
            return std::move(error);
        }
        if (error.code == Code::cannotRead) { // the file's fault, whoever was reading
            error.where.file = order.path;
            return std::move(error);
        }
        const Frame* asking = last(outcome.frames, frame::asking);
        const auto left = asking == nullptr ? order.plugins.end() : std::ranges::find(order.plugins, asking->payload);
        if (left == order.plugins.end() || !order.importer.empty() || error.code == Code::cancelled) return std::move(error);
        if (left - order.plugins.begin() < order.named) --order.named;
        order.plugins.erase(left);
        Diagnostic warning =
            failure(Code::pluginLeftOut, "a plugin was left out: while it was asked whether it knows the input, " + error.message,
                    {asking->payload}, "Remove the plugin, or replace it by a version that works.");
        warning.severity = Severity::warning;
        leftOut.push_back(std::move(warning));
    }
}

Expected<Rewritten> WorkerClient::rewrite(RewriteInput input, const std::stop_token& stop) const
{
    const std::string path = input.path.toStdString();
    const PluginRow* row = host_->importerPlugin(input.importer);
    const RewriterInfo* rewriter = host_->rewriter(input.importer);
    if (row == nullptr || rewriter == nullptr)
        return failure(Code::noRewriter, "files of the importer \"" + input.importer + "\" cannot be given back", {path},
                       "Those of these importers can: " + rewriterNames(*host_) + ".");
    const auto pass =
        std::find_if(rewriter->passes.begin(), rewriter->passes.end(), [&](const PassInfo& p) { return p.name == input.pass; });
    if (pass == rewriter->passes.end()) {
        std::string names;
        for (const PassInfo& known : rewriter->passes) names += (names.empty() ? "" : ", ") + known.name;
        return failure(Code::unknownPass, "files of the importer \"" + input.importer + "\" have no pass \"" + input.pass + "\"",
                       {path}, "Its passes are: " + names + ".");
    }
    if (auto error = wrongOption(*pass, input.passOptions)) return *std::move(error);

    RewriteOrder order{row->path.toStdString(),  std::move(input.importer),    path,
                       std::move(input.pass),    std::move(input.passOptions), std::move(input.bindings),
                       std::move(input.options), std::move(input.program),     std::move(input.planned)};
    WorkerRun run{worker_, limits_, {}};
    run.input = {{frame::rewriteOrder, toArchive(order)}, {frame::input, std::string(input.text)}};
    WorkerOutcome outcome = runWorker(run, stop);
    if (outcome.error) {
        Error& error = *outcome.error;
        error.message = "while the input was given back, " + error.message;
        error.where.file = path;
        return std::move(error);
    }
    if (const Frame* error = last(outcome.frames, frame::error)) {
        auto diagnostic = fromArchive<Diagnostic>(error->payload);
        if (!diagnostic) return garbage("its error is damaged");
        return std::move(*diagnostic);
    }
    const Frame* rewritten = last(outcome.frames, frame::rewritten);
    if (rewritten == nullptr) return garbage("there is none");
    auto value = fromArchive<Rewritten>(rewritten->payload);
    if (!value) return garbage("it is damaged");
    return std::move(*value);
}

QString WorkerClient::installedWorker()
{
    const QString folder = QCoreApplication::applicationDirPath();
    const QString beside = folder + QStringLiteral("/stowage-worker");
    return QFileInfo::exists(beside) ? beside : QDir::cleanPath(folder + QStringLiteral("/../bin/stowage-worker"));
}

} // namespace stowage
