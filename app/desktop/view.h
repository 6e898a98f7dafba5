// The interface of the window's views. A view of a single picture needs no file here: see app/canvas/kit/picture.h.
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

/// The shown data. The shell owns it, and passes it to every view after a change.
struct ViewContext {
    std::shared_ptr<const Run> run;               ///< null: not planned yet
    std::vector<std::shared_ptr<const Run>> runs; ///< all runs of the model, for comparison
    NumberFormat numbers;
};

class View : public QWidget {
    Q_OBJECT

public:
    View(SelectionModel& selection, QWidget* parent) : QWidget(parent), selection_(selection) {}

    /// Shows another context. Must return within a frame: heavy work goes to the background, and the old picture stays meanwhile.
    virtual void setContext(const ViewContext& context) = 0;
    virtual void setTheme(const Theme& theme) = 0;
    /// Widgets for the bar above the view (colour by, legend, toggles); may be null. The view owns it.
    virtual QWidget* bar() { return nullptr; }
    /// The canvas that receives the commands below; null without one.
    [[nodiscard]] virtual Canvas* canvas() { return nullptr; }
    /// Zooms to everything, to the selection, to the peak step. No effect in views without zoom.
    virtual void zoomToFit();
    virtual void zoomToSelection();
    virtual void zoomToPeak();
    /// Executes a command; false if it has no meaning in this view.
    virtual bool perform(ViewCommand command);
    /// Whether menu and keys offer a command that only some views have: addresses, sums of areas, width of the names, borders of
    /// stages. True for all other commands.
    [[nodiscard]] virtual bool performs(ViewCommand command);
    /// The name of the picture for files (see app/canvas/export/render.h); sets the fields of `options` that the view decides.
    /// Empty: the view's id.
    virtual QString picture(RenderOptions& options) const
    {
        (void)options;
        return {};
    }

Q_SIGNALS:
    /// The widgets of the bar need more or less room than before.
    void barChanged();

protected:
    SelectionModel& selection_;
};

} // namespace stowage
