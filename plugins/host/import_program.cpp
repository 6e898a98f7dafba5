#include "plugins/host/import_program.h"

#include "core/plan/run_failure.h"
#include "plugins/external/command_line.h"
#include "plugins/external/manifest.h"
#include "plugins/external/one_shot.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>

namespace stowage {

namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

std::optional<Error> write(const QString& path, std::string_view text)
{
    QFile file(path);
    if (file.open(QIODevice::WriteOnly) &&
        file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size()))
        return std::nullopt;
    return failure(Code::cannotWrite, "cannot be written: " + file.errorString().toStdString(), {path.toStdString()},
                   "set TMPDIR");
}

std::optional<Error> addOptions(const PluginRow& row, const Values& options, Values& values)
{
    PlannerInfo info; // its check of options is the same for all
    info.name = row.id.toStdString();
    info.options = row.manifest->options;
    if (auto error = checkOptions(info, options)) return error;
    for (const OptionSpec& spec : info.options)
        values.emplace_back("option:" + spec.name, std::string(optionValue(info, options, spec.name)));
    return std::nullopt;
}

Error told(const PluginRow& row, Error error)
{
    error.message = row.id.toStdString() + ": " + error.message;
    return error;
}

} // namespace

const PluginRow* importerProgram(const PluginHost& host, std::string_view head, const std::string& path,
                                 const std::string& wanted, ProgramClaim& claim)
{
    claim = ProgramClaim::nothing;
    const PluginRow* best = nullptr;
    const std::string suffix = QFileInfo(QString::fromStdString(path)).suffix().toLower().toStdString();
    for (const PluginRow& row : host.rows()) {
        if (row.state != PluginState::usable || !row.manifest || row.importers.empty()) continue;
        ProgramClaim its = ProgramClaim::nothing;
        if (!wanted.empty()) {
            if (row.importers.front().name == wanted) its = ProgramClaim::byName;
        } else if (std::ranges::any_of(row.manifest->magic, [&](const external::Magic& magic) {
                       const auto at = static_cast<std::size_t>(magic.offset);
                       return head.size() >= at && head.substr(at).starts_with(magic.bytes);
                   })) {
            its = ProgramClaim::byContents;
        } else if (row.manifest->magic.empty() &&
                   std::ranges::find(row.manifest->suffixes, suffix) != row.manifest->suffixes.end()) {
            its = ProgramClaim::bySuffix;
        }
        if (its > claim) best = &row, claim = its;
    }
    return best;
}

Expected<std::string> runImporter(const PluginRow& row, const std::string& path, std::optional<std::string_view> bytes,
                                  const Values& options, const std::stop_token& cancel)
{
    Values values;
    if (auto error = addOptions(row, options, values)) return *std::move(error);
    const QTemporaryDir folder;
    std::string in = QFileInfo(QString::fromStdString(path)).absoluteFilePath().toStdString();
    if (bytes) {
        const QString file = folder.filePath(QStringLiteral("input"));
        if (auto error = write(file, *bytes)) return *std::move(error);
        in = file.toStdString();
    }
    values.emplace_back("in", in);
    auto output = external::runProgram(*row.manifest, values, cancel);
    if (!output) {
        Error error = told(row, std::move(output).error());
        error.where.file = path;
        return error;
    }
    return std::move(output->text);
}

Expected<std::string> runExporter(const PluginRow& row, std::string_view plan, std::string_view problem, const Values& options,
                                  const std::stop_token& cancel)
{
    Values values;
    if (auto error = addOptions(row, options, values)) return *std::move(error);
    const QTemporaryDir folder;
    const QString planFile = folder.filePath(QStringLiteral("plan.json"));
    const QString problemFile = folder.filePath(QStringLiteral("problem.json"));
    const QString outFile = folder.filePath(QStringLiteral("out"));
    if (auto error = write(planFile, plan)) return *std::move(error);
    if (auto error = write(problemFile, problem)) return *std::move(error);
    values.emplace_back("plan", planFile.toStdString());
    values.emplace_back("problem", problemFile.toStdString());
    values.emplace_back("out", outFile.toStdString());
    auto output = external::runProgram(*row.manifest, values, cancel);
    if (!output) return told(row, std::move(output).error());
    if (!external::uses(*row.manifest, "out")) return std::move(output->text);
    auto written = external::writtenFile(outFile, row.manifest->output);
    if (!written) return told(row, std::move(written).error());
    return written;
}

} // namespace stowage
