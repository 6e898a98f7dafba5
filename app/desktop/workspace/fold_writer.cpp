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

void FoldWriter::write(const QString& file, const Run& run, const FoldOptions& options, const std::function<bool()>& shown)
{
    const Model* model = workspace_.model();
    if (!model || writing()) return;
    // As the picture: the function that is shown, where the model has several.
    Model folded = *model;
    if (Session::functions(folded).size() > 1 || !folded.options.function.isEmpty())
        folded.options.function = QString::fromStdString(run.program->main().name);
    if (!folded.options.function.isEmpty()) folded.program = run.program;
    const auto holds = [writer = QPointer(this), id = model->id, program = model->program, ofRun = run.program, shown] {
        const Model* now = writer ? writer->workspace_.model() : nullptr;
        if (!now || now->id != id || now->program != program || writer->writing()) return false;
        const auto current = writer->workspace_.run();
        // Each run of another function than the entry has a copy of the program.
        return current && current->program && (current->program == ofRun || *current->program == *ofRun) && shown();
    };
    workspace_.models().replace(
        file, [writer = QPointer(this), file, folded = std::move(folded), options] { writer->start(file, folded, options); },
        holds);
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
