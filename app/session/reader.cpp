#include "app/session/reader.h"

#include "app/session/known_files.h"
#include "app/session/lowering_cache.h"
#include "app/session/native_importers.h"
#include "app/session/native_path.h"
#include "core/io/input_file.h"
#include "core/ir/verify.h"
#include "plugins/host/import_program.h"
#include "plugins/host/worker_client.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr qsizetype headBytes = 64 << 10; ///< what an importer is shown to recognise a file by
constexpr int certain = 50;               ///< a claim from which on nobody else is asked

Position placeOf(const QString& path)
{
    return {nativePath(path), 0, 0, -1};
}

std::string_view view(const QByteArray& bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

/// A name for messages: "-" says little.
std::string inputName(const QString& path)
{
    return path == QLatin1String("-") ? "standard input" : nativePath(path);
}

io::StopReading stopOf(const std::stop_token& cancel)
{
    return [cancel] { return cancel.stop_requested(); };
}

Error emptyInput(const QString& path)
{
    if (path == QLatin1String("-"))
        return failure(Code::emptyFile, "nothing came from it", {inputName(path), 0, 0, -1},
                       "pipe a file into it, or name the file");
    return failure(Code::emptyFile, "there is nothing in it", {inputName(path), 0, 0, 0}, "write or fetch the file again");
}

/// The first error, which says how many others there are; nothing when there is none.
std::optional<Error> firstError(const Diagnostics& diagnostics)
{
    const auto isError = [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; };
    const auto first = std::find_if(diagnostics.begin(), diagnostics.end(), isError);
    if (first == diagnostics.end()) return std::nullopt;
    Error error = *first;
    const auto count = std::count_if(diagnostics.begin(), diagnostics.end(), isError);
    if (count > 1) error.message += fmt::format(" (the first of {} errors)", count);
    return error;
}

void append(Diagnostics& to, Diagnostics&& more)
{
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// The model that was read, once it is verified.
Expected<Model> modelOf(ImportedInput&& found, const QString& path, const OpenOptions& options)
{
    Model model;
    model.path = path;
    model.name = path == QLatin1String("-") ? QStringLiteral("standard input") : QFileInfo(path).fileName();
    model.importer = QString::fromStdString(found.importer);
    model.options = options;
    model.filePlans = std::move(found.imported.plans);
    model.diagnostics = std::move(found.imported.diagnostics);
    model.freeDimensions = std::move(found.imported.freeDimensions);

    const auto verified = [&](Diagnostics wrong, std::string& name) -> std::optional<Error> {
        if (auto error = firstError(wrong)) {
            if (!error->where.known()) error->where = Position{inputName(path), 0, 0, -1};
            return error;
        }
        append(model.diagnostics, std::move(wrong));
        if (name.empty()) name = QFileInfo(model.name).completeBaseName().toStdString();
        return std::nullopt;
    };
    if (auto* program = std::get_if<Program>(&found.imported.content)) {
        if (auto error = verified(verify(*program), program->name)) return *std::move(error);
        model.program = std::make_shared<const Program>(std::move(*program));
    } else if (auto* problem = std::get_if<Problem>(&found.imported.content)) {
        if (auto error = verified(checkAndRepair(*problem), problem->name)) return *std::move(error);
        model.problem = std::make_shared<const Problem>(std::move(*problem));
    } else {
        for (NamedProblem& each : std::get<std::vector<NamedProblem>>(found.imported.content)) {
            if (auto error = verified(checkAndRepair(each.problem), each.problem.name)) return *std::move(error);
            const bool told = !each.calls.ofBuffer.empty();
            model.calls.push_back(told ? std::make_shared<const CallStacks>(std::move(each.calls)) : nullptr);
            model.problems.emplace_back(std::move(each.name), std::make_shared<const Problem>(std::move(each.problem)));
        }
        if (model.problems.empty())
            return failure(Code::nothingToPlan, "there is nothing to plan in it", Position{inputName(path), 0, 0, -1});
        model.problem = model.problems.front().second;
    }
    if (!options.function.isEmpty()) {
        auto entry = entryOf(model, options.function.toStdString());
        if (!entry) return std::move(entry).error();
        model.program = entry->program;
        if (entry->problem) model.problem = entry->problem;
    }
    return model;
}

} // namespace

class Reader::Formats {
public:
    explicit Formats(const PluginSettings& settings) : host(settings), client(host, {}, workerPath()) {}

    /// The native importer for an input that begins with `head`, or null: then a plugin has to read it.
    [[nodiscard]] const Importer* nativeFor(std::string_view head, const std::string& path, const std::string& wanted,
                                            int atLeast) const;
    Expected<ImportedInput> import(const Importer& importer, std::string_view bytes, const QString& path,
                                   const OpenOptions& options) const;
    /// Through the worker: `bytes`, or the file when there are none.
    Expected<ImportedInput> importByPlugin(std::optional<std::string_view> bytes, const QString& path, const OpenOptions& options,
                                           const std::stop_token& cancel) const;
    /// By the manifest of a program.
    Expected<ImportedInput> importByProgram(const PluginRow& row, std::optional<std::string_view> bytes, const QString& path,
                                            const OpenOptions& options, const std::stop_token& cancel) const;
    [[nodiscard]] std::string names() const;

    const std::vector<std::unique_ptr<const Importer>> native = nativeImporters();
    const PluginHost host;
    const WorkerClient client;

    /// Beside the program; tests lie in a folder of their own beside that one.
    static QString workerPath()
    {
        QString installed = WorkerClient::installedWorker();
        if (QFileInfo::exists(installed)) return installed;
        const QString beside = QCoreApplication::applicationDirPath() + QStringLiteral("/../bin/stowage-worker");
        return QFileInfo::exists(beside) ? QFileInfo(beside).absoluteFilePath() : installed;
    }
};

const Importer* Reader::Formats::nativeFor(std::string_view head, const std::string& path, const std::string& wanted,
                                           int atLeast) const
{
    const Importer* best = nullptr;
    for (const auto& importer : native) {
        const int claim = wanted.empty() ? importer->claims(head, path) : importer->info().name == wanted ? 100 : 0;
        if (claim >= atLeast) best = importer.get(), atLeast = claim + 1;
    }
    return best;
}

Expected<ImportedInput> Reader::Formats::import(const Importer& importer, std::string_view bytes, const QString& path,
                                                const OpenOptions& options) const
{
    // What nobody reads is a mistake of whoever wrote it.
    if (!options.importOptions.empty())
        return failure(Code::unknownOption, fmt::format("the importer has no option \"{}\"", options.importOptions.front().first),
                       Position{inputName(path), 0, 0, -1}, "it has none");
    if (!options.bindings.empty())
        return failure(Code::unknownBinding, fmt::format("no free dimension is named '{}'", options.bindings.front().first),
                       Position{inputName(path), 0, 0, -1}, "every size is in the file: leave the binding out");
    auto imported = importer.import({inputName(path), bytes, options.bindings, options.importOptions});
    if (!imported) return std::move(imported).error();
    return ImportedInput{importer.info().name, *std::move(imported)};
}

Expected<ImportedInput> Reader::Formats::importByPlugin(std::optional<std::string_view> bytes, const QString& path,
                                                        const OpenOptions& options, const std::stop_token& cancel) const
{
    const std::string wanted = options.importer.toStdString();
    std::string head;
    if (bytes) {
        head = bytes->substr(0, headBytes);
    } else if (QFile file(path); file.open(QIODevice::ReadOnly)) {
        head = file.read(static_cast<qint64>(headBytes)).toStdString();
    }
    ProgramClaim claim = ProgramClaim::nothing;
    const PluginRow* const program = importerProgram(host, head, path.toStdString(), wanted, claim);
    if (claim >= ProgramClaim::byContents) return importByProgram(*program, bytes, path, options, cancel);
    auto imported = client.import(
        {bytes ? QString::fromStdString(inputName(path)) : path, bytes, wanted, options.bindings, options.importOptions}, cancel);
    if (imported) return imported;
    Error error = std::move(imported).error();
    if (error.code == Code::unknownFormat && program) return importByProgram(*program, bytes, path, options, cancel);
    // A build without MLIR says so, instead of leaving an engineer with a list that his format is not in.
    if (error.code == Code::unknownFormat && path.endsWith(QStringLiteral(".mlir"), Qt::CaseInsensitive) &&
        !host.importerPlugin("mlir"))
        return failure(error.code, "this build reads no MLIR modules", Position{inputName(path), 0, 0, -1},
                       "build Stowage with MLIR 19.1 (cmake -DSTOWAGE_MLIR=ON)");
    if (error.code == Code::unknownImporter) error.remedy = fmt::format("the importers are: {}", names());
    if (error.code != Code::unknownFormat) return error;
    if (auto other = notAModel(head, inputName(path))) return *std::move(other);
    return failure(error.code, "no importer knows this kind of file", Position{inputName(path), 0, 0, -1},
                   fmt::format("the importers are: {}; --importer NAME chooses one whatever the file looks like", names()));
}

Expected<ImportedInput> Reader::Formats::importByProgram(const PluginRow& row, std::optional<std::string_view> bytes,
                                                         const QString& path, const OpenOptions& options,
                                                         const std::stop_token& cancel) const
{
    const auto text = runImporter(row, path.toStdString(), bytes, options.importOptions, cancel);
    if (!text) return text.error();
    const Importer* const reader = nativeFor(std::string_view(*text).substr(0, headBytes), {}, {}, 1);
    const std::string name = row.id.toStdString();
    if (!reader)
        return failure(Code::notUnderstood, fmt::format("the importer {} wrote neither program nor problem JSON", name),
                       Position{inputName(path), 0, 0, -1}, "report it to the author of the plug-in");
    auto imported = reader->import({fmt::format("output of {}", name), *text, options.bindings, {}});
    if (!imported) return std::move(imported).error();
    return ImportedInput{name, *std::move(imported)};
}

std::string Reader::Formats::names() const
{
    std::vector<std::string> all;
    for (const auto& importer : native) all.push_back(importer->info().name);
    for (const ImporterInfo& info : host.importers()) all.push_back(info.name);
    return fmt::format("{}", fmt::join(all, ", "));
}

Reader::Reader(PluginSettings plugins) : settings_(std::move(plugins)) {}
Reader::~Reader() = default;

const Reader::Formats& Reader::formats() const
{
    std::call_once(looked_, [this] { formats_ = std::make_unique<Formats>(settings_); });
    return *formats_;
}

QString Reader::worker()
{
    return Formats::workerPath();
}

const PluginHost& Reader::plugins() const
{
    return formats().host;
}

std::vector<ImporterInfo> Reader::importers() const
{
    std::vector<ImporterInfo> infos;
    for (const auto& importer : formats().native) infos.push_back(importer->info());
    for (const ImporterInfo& info : formats().host.importers()) infos.push_back(info);
    return infos;
}

Expected<Model> Reader::read(const QString& path, const OpenOptions& options, const std::stop_token& cancel) const
{
    auto file = io::InputFile::open(nativePath(path), {}, stopOf(cancel));
    if (!file) return std::move(file).error();
    // Standard input may be a file, too; the worker could not open it by its name.
    if (!file->isStream() && path != QLatin1String("-") &&
        isUtf8Path(path)) { // a file for a plugin is read where it is needed, in the worker
        const auto head = file->head(headBytes);
        if (!head) return head.error();
        if (!formats().nativeFor(*head, path.toStdString(), options.importer.toStdString(), certain)) {
            auto imported = formats().importByPlugin(std::nullopt, path, options, cancel);
            if (imported) return modelOf(*std::move(imported), path, options);
            if (imported.error().code != Code::unknownFormat ||
                !formats().nativeFor(*head, path.toStdString(), options.importer.toStdString(), 1))
                return std::move(imported).error();
        }
    }
    const auto bytes = file->all();
    if (!bytes) return bytes.error();
    return readBytes(path, QByteArray::fromRawData(bytes->data(), static_cast<qsizetype>(bytes->size())), options, cancel);
}

Expected<Model> Reader::readBytes(const QString& path, const QByteArray& bytes, const OpenOptions& options,
                                  const std::stop_token& cancel) const
{
    if (bytes.isEmpty()) return emptyInput(path);
    const auto kept = [&](Expected<Model> model) {
        if (model && !QFileInfo(path).isFile()) model->bytes = QByteArray(bytes.constData(), bytes.size()); // a copy that stays
        return model;
    };
    const std::string_view head = view(bytes).substr(0, headBytes);
    const std::string wanted = options.importer.toStdString();
    const Importer* native = formats().nativeFor(head, path.toStdString(), wanted, certain);
    if (!native) {
        auto imported = formats().importByPlugin(view(bytes), path, options, cancel);
        if (imported) return kept(modelOf(*std::move(imported), path, options));
        native = formats().nativeFor(head, path.toStdString(), wanted, 1);
        if (imported.error().code != Code::unknownFormat || !native) return std::move(imported).error();
    }
    auto imported = formats().import(*native, view(bytes), path, options);
    if (!imported) return std::move(imported).error();
    return kept(modelOf(*std::move(imported), path, options));
}

Expected<Rewritten> Reader::rewrite(const Model& model, const std::string& pass, const OptionValues& passOptions,
                                    std::span<const std::shared_ptr<const Run>> runs, const std::stop_token& cancel) const
{
    if (!model.program)
        return failure(Code::noProgram, "the input is a problem: there is nothing in it that could be given back planned",
                       placeOf(model.path), "convert --planned writes it with the offsets");
    RewriteInput input{QString::fromStdString(inputName(model.path)),
                       {},
                       model.importer.toStdString(),
                       pass,
                       passOptions,
                       model.options.bindings,
                       model.options.importOptions,
                       *model.program,
                       {}};
    for (const auto& run : runs) {
        if (!run->report.verdict.valid() || run->report.verdict.overCapacity)
            return failure(Code::notValid, "the plan is not valid, or does not fit: it is not written into the file",
                           placeOf(model.path));
        input.planned.push_back({run->lowering->instances.front().function, *run->lowering, run->plan});
    }
    std::string text;
    if (model.bytes.isEmpty()) {
        auto read = io::readFile(nativePath(model.path), {}, stopOf(cancel));
        if (!read) return std::move(read).error();
        text = *std::move(read);
    }
    input.text = model.bytes.isEmpty() ? std::string_view(text) : view(model.bytes);
    return formats().client.rewrite(std::move(input), cancel);
}

} // namespace stowage
