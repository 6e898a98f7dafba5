#include "app/session/offline_file.h"

#include "app/session/native_path.h"
#include "core/io/output_file.h"
#include "core/io/plan_tables.h"
#include "core/io/text.h"
#include "plugins/host/plugin_host.h"

#include <QFileInfo>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace stowage {

namespace {

constexpr auto planPass = "plan-memory";

} // namespace

Expected<Model> asRuntimeReads(const Session& session, const Model& model, const std::stop_token& cancel)
{
    const RewriterInfo* rewriter = session.plugins().rewriter(model.importer.toStdString());
    if (!rewriter || model.path.isEmpty()) return model;
    const auto pass = std::ranges::find(rewriter->passes, planPass, &PassInfo::name);
    if (pass == rewriter->passes.end()) return model;
    OpenOptions options = model.options;
    for (const auto& [key, value] : pass->import)
        if (std::ranges::find(options.importOptions, key, &std::pair<std::string, std::string>::first) ==
            options.importOptions.end())
            options.importOptions.emplace_back(key, value);
    if (options.importOptions == model.options.importOptions) return model;
    options.importer = model.importer;
    auto read = session.read(model.path, options, cancel);
    if (read) {
        read->id = model.id;
        read->name = model.name;
    }
    return read;
}

Expected<OfflineFile> writeOfflinePlan(const Session& session, const Model& model, const Fit& fit, const std::string& path,
                                       const std::stop_token& cancel)
{
    if (!fit.plan) return failure(Code::noPlan, "there is no plan to write");
    const auto rewritten = session.rewrite(model, planPass, {}, std::span(&fit.plan, 1), cancel);
    if (!rewritten) return rewritten.error();
    const Bytes before = QFileInfo(model.path).size(); // `path` may be the model's own
    const auto stopped = [&cancel] { return cancel.stop_requested(); };
    if (auto error = io::writeUnlessStopped(path, rewritten->text, stopped)) return *std::move(error);
    OfflineFile file{before, static_cast<Bytes>(rewritten->text.size()), 0, rewritten->diagnostics};

    const Position where{path, 0, 0, -1};
    OpenOptions options = model.options;
    options.importer = model.importer;
    const auto back = session.read(pathFromNative(path), options, cancel);
    if (!back) return back.error();
    std::map<std::pair<FunctionId, TensorId>, Bytes> wanted;
    for (const FunctionInstance& instance : fit.plan->lowering->instances)
        for (std::size_t t = 0; t < instance.bindings.size(); ++t)
            if (const TensorBinding& binding = instance.bindings[t]; binding.buffer != none)
                wanted[{instance.function, static_cast<TensorId>(t)}] =
                    fit.plan->plan.placements[at(binding.buffer)].offset + binding.delta;
    for (const FilePlan& plan : back->filePlans)
        for (const FilePlan::Offset& each : plan.offsets) {
            const auto ours = wanted.find({each.function, each.tensor});
            if (ours == wanted.end() || ours->second != each.offset)
                return failure(Code::notWritten, "the file that was written does not give the plan back", where,
                               "do not use it, and report this");
            ++file.tensors;
        }
    if (file.tensors == 0)
        return failure(Code::notWritten, "the file that was written holds no plan", where, "do not use it, and report this");
    return file;
}

std::optional<Error> writePlanTable(const Fit& fit, const std::string& path, const std::stop_token& cancel)
{
    if (!fit.plan) return failure(Code::noPlan, "there is no plan to write");
    const io::FunctionRun run{fit.function, fit.plan.get()};
    const auto table = io::writeExecutorchTable({&run, 1});
    if (!table) return table.error();
    return io::writeUnlessStopped(path, *table, [&cancel] { return cancel.stop_requested(); });
}

} // namespace stowage
