// What the workspace offers to those of its parts that act on several others. They know the workspace by this interface only, so
// that it stands on its parts and none of them on it.
#pragma once

#include "app/canvas/kit/number_text.h"
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
    [[nodiscard]] virtual const NumberFormat& numbers() const = 0;
    virtual void setNumbers(const NumberFormat& numbers) = 0;

    /// Opens a file in the background, or shows its model when it is open already.
    virtual void open(const QString& path, const OpenIntent& intent, const OpenOptions& options) = 0;
    virtual void closeModel(int id) = 0;
    /// Makes `id` the model that is worked on; 0: none.
    virtual void setModel(int id) = 0;
    /// Shows a run, and makes its model the one that is worked on. Nothing when there is no such run.
    virtual void showRun(int id) = 0;
    /// Tells the user.
    virtual void report(const Notice& notice) = 0;

protected:
    ~WorkspaceAccess() = default;
};

} // namespace stowage
