#include "app/worker/rewrite_command.h"

#include "core/io/op_kinds.h"
#include "plugins/api/plugin.h"
#include "plugins/host/import_messages.h"
#include "plugins/host/plugin_host.h"
#include "plugins/host/rewrite_messages.h"

#include <algorithm>
#include <exception>
#include <memory>

namespace stowage::worker {
namespace {

/// Whether `read` is what was planned. Name and entry may have been chosen after the import.
bool sameProgram(Imported& read, const Program& planned)
{
    auto* program = std::get_if<Program>(&read.content);
    if (program == nullptr) return false;
    program->name = planned.name;
    program->entry = planned.entry;
    io::stateTraits(*program); // as import_command.cpp does for importers that do not
    return *program == planned;
}

Expected<Rewritten> carryOut(Channel& channel, const RewriteOrder& order)
{
    const auto text = channel.receive();
    if (!text) return text.error();
    auto plugin = loadPlugin(QString::fromStdString(order.plugin), LoadedIn::worker);
    if (!plugin) return std::move(plugin).error();
    const auto importers = (*plugin)->importers();
    const auto rewriters = (*plugin)->rewriters();
    const auto importer =
        std::find_if(importers.begin(), importers.end(), [&](const auto& i) { return i->info().name == order.importer; });
    const auto rewriter =
        std::find_if(rewriters.begin(), rewriters.end(), [&](const auto& r) { return r->importer() == order.importer; });
    if (importer == importers.end() || rewriter == rewriters.end())
        return failure(Code::noRewriter, "the plugin does not bring what its metadata names for \"" + order.importer + "\"",
                       {order.plugin});

    auto imported = (*importer)->import({order.path, text->payload, order.bindings, order.options});
    if (!imported) return std::move(imported).error();
    if (!sameProgram(*imported, order.program))
        return failure(Code::fileChanged, "the file is no longer what was planned", {order.path}, "Open it again and plan anew.");
    return (*rewriter)->rewrite(
        {order.path, text->payload, order.pass, order.passOptions, order.bindings, order.options, order.program, order.planned});
}

} // namespace

void rewrite(Channel& channel, std::string_view archivedOrder)
{
    const auto order = fromArchive<RewriteOrder>(archivedOrder);
    if (!order) return channel.send(failure(Code::noOrder, "the order is damaged"));
    try {
        const auto result = carryOut(channel, *order);
        if (result)
            channel.send(frame::rewritten, toArchive(*result));
        else
            channel.send(result.error());
    } catch (const std::exception& error) {
        channel.send(failure(Code::rewriterException, std::string("the rewriter failed: ") + error.what(), {order->path},
                             "Report it to the author of the plugin."));
    }
}

} // namespace stowage::worker
