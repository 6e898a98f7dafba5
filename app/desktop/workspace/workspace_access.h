// The interface of the workspace for parts that act on several other parts. They use only this interface, so that the workspace
// depends on its parts and not the reverse.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/desktop/workspace/kept_zooms.h"
#include "app/desktop/workspace/model_edits.h"
#include "app/desktop/workspace/notice.h"
#include "app/desktop/workspace/open_models.h"
#include "app/desktop/workspace/planner_choice.h"
#include "app/desktop/workspace/plannings.h"
#include "app/desktop/workspace/shown_run.h"

#include <QString>

namespace stowage {

class WorkspaceAccess {
public:
    [[nodiscard]] virtual Session& session() = 0;
    [[nodiscard]] virtual OpenModels& models() = 0;
    [[nodiscard]] virtual PlannerChoice& planners() = 0;
    [[nodiscard]] virtual ModelEdits& edits() = 0;
    [[nodiscard]] virtual Plannings& plannings() = 0;
    [[nodiscard]] virtual ShownRun& shown() = 0;
    [[nodiscard]] virtual KeptZooms& zooms() = 0;
    [[nodiscard]] virtual const NumberFormat& numbers() const = 0;
    virtual void setNumbers(const NumberFormat& numbers) = 0;
    /// See `PlansBeside::runtimeLogPath`.
    [[nodiscard]] virtual QString runtimeLogPathOf(int model) const = 0;

    /// Opens a file in the background, or shows its model if it is open already. A saved model adds its runs to the open one.
    virtual void open(const QString& path, const OpenIntent& intent, const OpenOptions& options) = 0;
    virtual void closeModel(int id) = 0;
    /// Makes `id` the current model; 0: none.
    virtual void setModel(int id) = 0;
    /// Shows a run, and makes its model the current one. No effect for an unknown run.
    virtual void showRun(int id) = 0;
    /// Shows a notice to the user.
    virtual void report(const Notice& notice) = 0;

protected:
    ~WorkspaceAccess() = default;
};

} // namespace stowage
