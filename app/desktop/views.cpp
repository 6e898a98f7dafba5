#include "app/desktop/views.h"

#include "app/desktop/views/compare_view.h"
#include "app/desktop/views/fit_view.h"
#include "app/desktop/views/fold_view.h"
#include "app/desktop/views/liveness_view.h"
#include "app/desktop/views/loops_view.h"
#include "app/desktop/views/memory_map_view.h"
#include "app/desktop/views/picture_view.h"
#include "app/desktop/views/pipeline_view.h"
#include "app/desktop/views/pipes_view.h"
#include "app/desktop/views/regression_view.h"
#include "app/desktop/views/replay_view.h"
#include "app/desktop/views/robustness_view.h"
#include "app/desktop/views/tables_view.h"
#include "app/desktop/workspace.h"

namespace stowage {

namespace {

constexpr Panels around = Panel::sidebar | Panel::inspector;

template <typename Kind>
View* makeOwn(Workspace& workspace, const Look& look, QWidget* parent)
{
    return new Kind(workspace, look, parent);
}

/// What the window has round a picture besides its line in the table: other panels, a bar of its own.
struct Surroundings {
    const char* id;
    Panels panels;
    View* (*make)(Workspace& workspace, const Look& look, QWidget* parent) = nullptr; ///< null: a plain `PictureView`
    bool (*applies)(const Workspace& workspace) = nullptr;                            ///< null: as the table says
};

/// Pictures without a row have a plain view. Those that the table gives no tab of their own stand after the others, in this
/// order.
const std::vector<Surroundings>& surroundings()
{
    static const std::vector<Surroundings> own{
        {"memory-map", around | Panel::runs, makeOwn<MemoryMapView>},
        {"liveness", around, makeOwn<LivenessView>},
        {"heatmap", Panel::sidebar | Panel::distributions}, // the tabs stay where they are
        {"usage", Panel::sidebar | Panel::distributions},
        {"pipes", around, makeOwn<PipesView>, PipesView::applies},
        {"pipeline", around, makeOwn<PipelineView>, PipelineView::applies},
        {"regression", Panels(), makeOwn<RegressionView>, RegressionView::applies},
        {"fold", around, makeOwn<FoldView>},
        {"loops", around, makeOwn<LoopsView>, LoopsView::applies},
        {"fit", Panel::sidebar, makeOwn<FitView>, FitView::applies},
        {"compare", Panels(), makeOwn<CompareView>},
        {"replay", around, makeOwn<ReplayView>},
        {"robustness", Panel::sidebar, makeOwn<RobustnessView>},
    };
    return own;
}

ViewEntry viewOf(const PictureEntry& entry)
{
    ViewEntry view{entry.id,
                   entry.title,
                   entry.icon,
                   entry.guide,
                   around,
                   [&entry](Workspace& workspace, const Look& look, QWidget* parent) -> View* {
                       return new PictureView(entry, workspace, look, parent);
                   },
                   nullptr};
    if (entry.tab == PictureTab::applies)
        view.applies = [&entry](const Workspace& workspace) {
            PictureSource source;
            source.run = workspace.run();
            if (const Model* model = workspace.model()) source.program = model->program;
            // A plan comes in a moment: a tab that came with it would shift those after it.
            const std::optional<Error> why = whyNoPicture(entry, source);
            return !why || (why->code == Code::noRun && source.program);
        };
    for (const Surroundings& each : surroundings()) {
        if (QLatin1String(each.id) != QLatin1String(entry.id)) continue;
        view.panels = each.panels;
        if (each.make) view.make = each.make;
        if (each.applies) view.applies = each.applies;
    }
    return view;
}

} // namespace

const std::vector<ViewEntry>& viewEntries()
{
    static const std::vector<ViewEntry> entries = [] {
        std::vector<ViewEntry> all;
        for (const PictureEntry& entry : pictureTable())
            if (entry.tab != PictureTab::never) all.push_back(viewOf(entry));
        for (const Surroundings& each : surroundings())
            if (const PictureEntry* entry = pictureEntry(QLatin1String(each.id)); entry && entry->tab == PictureTab::never)
                all.push_back(viewOf(*entry));
        all.push_back({"tables", "Tables", "table", "the-views", around, makeOwn<TablesView>, nullptr});
        return all;
    }();
    return entries;
}

} // namespace stowage
