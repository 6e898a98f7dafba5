#include "app/desktop/workspace/fold_writer.h"

#include "app/desktop/workspace.h"
#include "app/session/folding.h"
#include "core/io/output_file.h"

#include <QFileInfo>
#include <QPointer>

#include <optional>
#include <utility>

namespace stowage {

FoldWriter::FoldWriter(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {}

void FoldWriter::write(const QString& file, const Run& run, const FoldOptions& options)
{
    const Model* model = workspace_.model();
    if (!model || writing()) return;
    // As the picture: the function that is shown, where the model has several.
    Model shown = *model;
    if (Session::functions(shown).size() > 1 || !shown.options.function.isEmpty())
        shown.options.function = QString::fromStdString(run.program->main().name);
    if (!shown.options.function.isEmpty()) shown.program = run.program;
    const auto holds = [writer = QPointer(this), id = model->id, program = model->program] {
        const Model* now = writer ? writer->workspace_.model() : nullptr;
        return now && now->id == id && now->program == program && !writer->writing();
    };
    workspace_.models().replace(
        file, [writer = QPointer(this), file, shown = std::move(shown), options] { writer->start(file, shown, options); }, holds);
}

void FoldWriter::start(const QString& file, const Model& model, const FoldOptions& options)
{
    workspace_.writing().start(
        job_, file,
        [&session = workspace_.session(), model, request = FoldRequest{options, {}, {}},
         path = file.toStdString()](const std::stop_token& stop) -> std::optional<Error> {
            const auto folding = foldModel(model, request);
            if (!folding) return folding.error();
            const auto folded = foldedFile(session, model, *folding, stop);
            if (!folded) return folded.error();
            return io::writeUnlessStopped(path, folded->text, [stop] { return stop.stop_requested(); });
        },
        [this, file](const std::optional<Error>& error) {
            if (error) workspace_.report({tr("%1 was not written").arg(QFileInfo(file).fileName()), *error, {}, file, {}});
            Q_EMIT written(file, !error);
            return !error;
        });
    Q_EMIT workspace_.questionsChanged();
    Q_EMIT begun();
}

} // namespace stowage
