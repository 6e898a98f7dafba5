// What every view of the window is. A view that is one picture needs no file here: see app/canvas/kit/picture.h.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "app/desktop/selection_model.h"
#include "app/desktop/view_command.h"
#include "core/plan/run.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <vector>

namespace stowage {

class Canvas;
struct RenderOptions;

/// What is shown now. The shell owns it, and hands it to every view when something in it changes.
struct ViewContext {
    std::shared_ptr<const Run> run;               ///< null: nothing planned yet
    std::vector<std::shared_ptr<const Run>> runs; ///< all of the model, for comparison
    NumberFormat numbers;
};

class View : public QWidget {
    Q_OBJECT

public:
    View(SelectionModel& selection, QWidget* parent) : QWidget(parent), selection_(selection) {}

    /// Shows another context. Must return within a frame: heavy work goes to the background, the old picture stays meanwhile.
    virtual void setContext(const ViewContext& context) = 0;
    virtual void setTheme(const Theme& theme) = 0;
    /// Widgets for the bar above the view (colour by, legend, toggles); may be null. The view owns it.
    virtual QWidget* bar() { return nullptr; }
    /// The canvas that the commands below go to; null without one.
    [[nodiscard]] virtual Canvas* canvas() { return nullptr; }
    /// Zooms to everything, to the selection, to the peak step. Nothing where it has no meaning.
    virtual void zoomToFit();
    virtual void zoomToSelection();
    virtual void zoomToPeak();
    /// False where the command has no meaning.
    virtual bool perform(ViewCommand command);
    /// The name of the picture that goes into a file (see app/canvas/export/render.h), and what of `options` is this view's to
    /// say. Empty: the view's id.
    virtual QString picture(RenderOptions& options) const
    {
        (void)options;
        return {};
    }

protected:
    SelectionModel& selection_;
};

} // namespace stowage
