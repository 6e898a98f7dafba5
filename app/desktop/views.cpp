#include "app/desktop/views.h"

#include "app/desktop/views/compare_view.h"
#include "app/desktop/views/liveness_view.h"
#include "app/desktop/views/loops_view.h"
#include "app/desktop/views/memory_map_view.h"
#include "app/desktop/views/picture_view.h"
#include "app/desktop/views/pipes_view.h"
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

/// A view of the table that needs no more than its line there.
ViewEntry pictured(const char* id, Panels panels)
{
    const PictureEntry& entry = *pictureEntry(QLatin1String(id));
    return {entry.id, entry.title, entry.icon, panels, [&entry](Workspace& workspace, const Look& look, QWidget* parent) {
                return new PictureView(entry, workspace, look, parent);
            }};
}

} // namespace

const std::vector<ViewEntry>& viewEntries()
{
    static const std::vector<ViewEntry> entries{
        {"memory-map", "Memory map", "map", around | Panel::runs, makeOwn<MemoryMapView>},
        {"liveness", "Liveness", "liveness", around, makeOwn<LivenessView>},
        pictured("heatmap", Panel::distributions),
        pictured("usage", Panel::sidebar | Panel::distributions),
        {"pipes", "Pipes", "pipes", around, makeOwn<PipesView>, PipesView::applies},
        pictured("graph", around),
        {"loops", "Loops", "loop", around, makeOwn<LoopsView>, LoopsView::applies},
        {"compare", "Compare", "compare", Panels(), makeOwn<CompareView>},
        {"replay", "Replay", "replay", around, makeOwn<ReplayView>},
        {"robustness", "Robustness", "spread", Panel::sidebar, makeOwn<RobustnessView>},
        {"tables", "Tables", "table", around, makeOwn<TablesView>},
    };
    return entries;
}

} // namespace stowage
