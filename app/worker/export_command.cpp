#include "app/worker/export_command.h"

#include "plugins/api/plugin.h"
#include "plugins/host/export_messages.h"
#include "plugins/host/plugin_host.h"

#include <exception>
#include <memory>
#include <utility>

namespace stowage::worker {
namespace {

ExportRequest requestOf(ExportOrder& order)
{
    ExportRequest request;
    request.options = std::move(order.options);
    for (SentModel& sent : order.models) {
        ExportedModel& model = request.models.emplace_back();
        model.name = std::move(sent.name);
        model.path = std::move(sent.path);
        model.importer = std::move(sent.importer);
        for (SentRun& one : sent.functions) {
            auto run = std::make_shared<Run>();
            if (one.hasProgram) run->program = std::make_shared<const Program>(std::move(one.program));
            run->lowering = std::make_shared<const Lowering>(std::move(one.lowering));
            run->plan = std::move(one.plan);
            run->targetName = std::move(one.target);
            run->report = evaluate(*run);
            model.functions.push_back({std::move(one.function), std::move(run)});
        }
    }
    return request;
}

Expected<Exported> carryOut(ExportOrder& order)
{
    auto plugin = loadPlugin(QString::fromStdString(order.plugin), LoadedIn::worker);
    if (!plugin) return std::move(plugin).error();
    for (const auto& exporter : (*plugin)->exporters())
        if (exporter->info().name == order.exporter) return exporter->write(requestOf(order));
    return failure(Code::unknownExporter,
                   "the plugin does not bring the exporter \"" + order.exporter + "\" that its metadata names", {order.plugin});
}

} // namespace

void write(Channel& channel, std::string_view archivedOrder)
{
    auto order = fromArchive<ExportOrder>(archivedOrder);
    if (!order) return channel.send(failure(Code::noOrder, "the order is damaged"));
    try {
        const auto result = carryOut(*order);
        if (result)
            channel.send(frame::exported, toArchive(*result));
        else
            channel.send(result.error());
    } catch (const std::exception& error) {
        channel.send(failure(Code::plannerFailed, std::string("the exporter failed: ") + error.what(), {},
                             "Report it to the author of the plugin."));
    }
}

} // namespace stowage::worker
