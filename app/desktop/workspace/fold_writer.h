// Writes the folded model into a file, in the background.
#pragma once

#include "app/desktop/background_job.h"
#include "core/passes/fold.h"

#include <QObject>
#include <QString>

#include <functional>

namespace stowage {

class Workspace;
struct Model;
struct Run;

class FoldWriter : public QObject {
    Q_OBJECT

public:
    explicit FoldWriter(Workspace& workspace, QObject* parent = nullptr);

    /// Writes the current model with the function of `run` folded by `options`, like `stowage-cli fold -o`: MLIR as MLIR, other
    /// models as program JSON. `written` follows, and a notice on an error. No effect while another file is being written. The
    /// file of an open model is replaced only after a question, which stands while model and function are the shown ones and
    /// `shown` says so of the options.
    void write(const QString& file, const Run& run, const FoldOptions& options, const std::function<bool()>& shown);
    [[nodiscard]] bool writing() const { return job_.running(); }

Q_SIGNALS:
    void begun();
    void written(const QString& file, bool done);

private:
    void start(const QString& file, const Model& model, const FoldOptions& options);

    Workspace& workspace_;
    BackgroundJobs job_;
};

} // namespace stowage
