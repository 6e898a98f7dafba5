// Writes the folded model into a file, in the background.
#pragma once

#include "app/desktop/background_job.h"
#include "core/passes/fold.h"

#include <QObject>
#include <QString>

namespace stowage {

class Workspace;
struct Run;

class FoldWriter : public QObject {
    Q_OBJECT

public:
    explicit FoldWriter(Workspace& workspace, QObject* parent = nullptr);

    /// Writes the workspace's model, with the function of `run` folded so, as `stowage-cli fold -o` does: MLIR as MLIR, other
    /// models as program JSON. `written` follows, and a notice when it fails. Nothing while another file is being written.
    void write(const QString& file, const Run& run, const FoldOptions& options);
    [[nodiscard]] bool writing() const { return job_.running(); }

Q_SIGNALS:
    void begun();
    void written(const QString& file, bool done);

private:
    Workspace& workspace_;
    BackgroundJobs job_;
};

} // namespace stowage
