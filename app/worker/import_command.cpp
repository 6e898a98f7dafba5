#include "app/worker/import_command.h"

#include "core/io/op_kinds.h"
#include "plugins/api/plugin.h"
#include "plugins/host/import_messages.h"
#include "plugins/host/plugin_host.h"
#include "plugins/host/worker_process.h"

#include <QFile>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <memory>

namespace stowage::worker {
namespace {

constexpr std::size_t headSize = 64 << 10;
constexpr int certain = 50; ///< a claim by contents, from which on importers of other suffixes are not asked

struct Choice {
    std::shared_ptr<const Importer> importer;
    int claim = 0; ///< 0 to 100
};

/// The file's bytes without a copy where possible. Keeps `file` open.
Expected<std::string_view> bytesOf(QFile& file, QByteArray& copy)
{
    const Position where{file.fileName().toStdString()};
    if (!file.open(QIODevice::ReadOnly))
        return failure(Code::cannotRead, "the file cannot be opened: " + file.errorString().toStdString(), where);
    if (file.size() == 0) return std::string_view();
    // What is cut off while it is mapped answers with a signal.
    std::signal(SIGBUS, [](int) { std::_Exit(inputShrankStatus); });
    if (const uchar* mapped = file.map(0, file.size()))
        return std::string_view(reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(file.size()));
    copy = file.readAll(); // a pipe, a file of /proc
    if (file.error() != QFileDevice::NoError)
        return failure(Code::cannotRead, "the file cannot be read: " + file.errorString().toStdString(), where);
    return std::string_view(copy.constData(), static_cast<std::size_t>(copy.size()));
}

/// The named importer, or the one that claims the input most surely.
Expected<Choice> choose(Channel& channel, const ImportOrder& order, std::string_view bytes)
{
    Choice best;
    Diagnostics refused;
    for (std::size_t i = 0; i < order.plugins.size(); ++i) {
        if (static_cast<std::int32_t>(i) == order.named && best.claim >= certain) break; // loading the others takes longer
        const std::string& path = order.plugins[i];
        channel.send(frame::asking, path);
        auto plugin = loadPlugin(QString::fromStdString(path), LoadedIn::worker);
        if (!plugin) {
            refused.push_back(std::move(plugin).error());
            continue;
        }
        for (const auto& importer : (*plugin)->importers()) {
            if (!order.importer.empty()) {
                if (importer->info().name == order.importer) return Choice{importer, 100};
                continue;
            }
            const int claim = importer->claims(bytes.substr(0, headSize), order.path);
            if (claim > best.claim) best = {importer, claim};
        }
    }
    if (best.importer) return best;
    if (!refused.empty()) return std::move(refused.front());
    if (!order.importer.empty())
        return failure(Code::unknownImporter,
                       "the plugin does not bring the importer \"" + order.importer + "\" that its metadata names", {order.path});
    return failure(Code::unknownFormat, "no importer knows this format", {order.path},
                   "Choose the importer yourself (--importer NAME), or convert the file to program JSON.");
}

Expected<ImportedInput> carryOut(Channel& channel, const ImportOrder& order)
{
    Frame input;
    QFile file(QString::fromStdString(order.path));
    QByteArray copy;
    std::string_view bytes;
    if (order.inputFollows) {
        auto received = channel.receive();
        if (!received) return std::move(received).error();
        input = std::move(*received);
        bytes = input.payload;
    } else {
        auto opened = bytesOf(file, copy);
        if (!opened) return std::move(opened).error();
        bytes = *opened;
    }

    auto choice = choose(channel, order, bytes);
    if (!choice) return std::move(choice).error();
    const std::string& name = choice->importer->info().name;
    channel.send(frame::importing, name);
    auto imported = choice->importer->import({order.path, bytes, order.bindings, order.options});
    if (!imported) return std::move(imported).error();
    if (auto* program = std::get_if<Program>(&imported->content)) io::stateTraits(*program); // of importers that do not
    return ImportedInput{name, std::move(*imported)};
}

} // namespace

void import(Channel& channel, std::string_view archivedOrder)
{
    const auto order = fromArchive<ImportOrder>(archivedOrder);
    if (!order) return channel.send(failure(Code::noOrder, "the order is damaged"));
    try {
        const auto result = carryOut(channel, *order);
        if (result)
            channel.send(frame::imported, toArchive(*result));
        else
            channel.send(result.error());
    } catch (const std::exception& error) {
        channel.send(failure(Code::importerException, std::string("the importer failed: ") + error.what(), {order->path},
                             "Report it to the author of the plugin."));
    }
}

} // namespace stowage::worker
