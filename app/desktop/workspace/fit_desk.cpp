#include "app/desktop/workspace/fit_desk.h"

#include "app/desktop/workspace.h"
#include "app/session/number_words.h"

#include <QFileInfo>
#include <QPointer>

#include <utility>

namespace stowage {

FitDesk::FitDesk(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {}

bool FitDesk::applies(const Workspace& workspace)
{
    const Model* model = workspace.model();
    return model && runtimeOf(*model, workspace.target()) != Runtime::unknown;
}

bool FitDesk::Wish::sameAs(const Wish& other) const
{
    return program == other.program && problem == other.problem && log == other.log && sameRequest(request, other.request) &&
           request.target.runtime == other.request.target.runtime;
}

FitDesk::Wish FitDesk::wish() const
{
    Wish wish;
    if (const Model* model = workspace_.model()) {
        wish.program = model->program;
        wish.problem = model->problem;
    }
    wish.request = workspace_.plannings().request(workspace_.session().defaultPlanner());
    wish.request.timeLimitSeconds = 0; // the figures of `stowage-cli fit`, on every machine
    wish.request.changes.clear();      // they are of the window's plans, not of the file
    if (usesLog_) wish.log = workspace_.runtimeLog();
    return wish;
}

void FitDesk::setUsesLog(bool on)
{
    usesLog_ = on;
    compute();
}

void FitDesk::compute()
{
    Wish wanted = wish();
    if (asked_ && asked_->sameAs(wanted)) {
        Q_EMIT changed();
        return;
    }
    computing_.drop();
    made_ = nullptr;
    why_.reset();
    asked_ = wanted;
    Q_EMIT workspace_.questionsChanged();
    Q_EMIT changed();
    if (!applies(workspace_)) return;

    struct Answer {
        std::shared_ptr<const Made> made;
        std::optional<Error> why;
    };
    computing_.start(
        [&session = std::as_const(workspace_).session(), model = *workspace_.model(),
         wanted](const std::stop_token& stop) -> Answer {
            auto read = asRuntimeReads(session, model, stop);
            if (!read) return {nullptr, read.error()};
            auto made = stowage::fit(session, *read, wanted.request, wanted.log.get(), stop);
            if (!made) return {nullptr, made.error()};
            return {std::make_shared<const Made>(Made{*std::move(read), *std::move(made)}), {}};
        },
        [this](const Answer& answer) {
            made_ = answer.made;
            why_ = answer.why;
            Q_EMIT changed();
        });
}

void FitDesk::write(const QString& file)
{
    if (!made_) return;
    workspace_.models().replace(
        file, [desk = QPointer(this), made = made_, file] { desk->start(made, file); },
        [desk = QPointer(this), made = made_, asked = wish()] {
            return desk && desk->made_ == made && !desk->writing() && desk->wish().sameAs(asked);
        });
}

void FitDesk::start(const std::shared_ptr<const Made>& made, const QString& file)
{
    struct Answer {
        std::optional<Error> why;
        std::string told;
        Diagnostics more;
    };
    workspace_.writing().start(
        writing_, file,
        [&session = std::as_const(workspace_).session(), made, path = file.toStdString()](const std::stop_token& stop) -> Answer {
            if (made->fit.runtime != Runtime::tflm)
                return {writePlanTable(made->fit, path, stop), "The table has memory id, offset and bytes of each tensor.", {}};
            const auto done = writeOfflinePlan(session, made->model, made->fit, path, stop);
            if (!done) return {done.error(), {}, {}};
            const QString told =
                tr("%1 with an offset; the file grows by %2 B, and no byte of the model changes. Read back: the same plan.")
                    .arg(QString::fromStdString(counted(static_cast<std::int64_t>(done->tensors), "tensor")),
                         QString::fromStdString(grouped(done->after - done->before)));
            return {{}, told.toStdString(), done->diagnostics};
        },
        [this, file](const Answer& answer) {
            Q_EMIT changed();
            const QFileInfo written(file);
            if (answer.why) {
                workspace_.report({tr("%1 was not written").arg(written.fileName()), *answer.why, {}, {}, {}});
                return false;
            }
            Notice notice{tr("%1 was written").arg(written.fileName()), {}, answer.more, written.absoluteFilePath(), {}};
            notice.what.severity = Severity::note;
            notice.what.message = answer.told;
            notice.good = true;
            workspace_.report(notice);
            return true;
        });
    Q_EMIT workspace_.questionsChanged();
    Q_EMIT changed();
}

} // namespace stowage
