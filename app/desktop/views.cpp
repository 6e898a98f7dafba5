#include "app/desktop/views.h"

#include "app/desktop/views/compare_view.h"
#include "app/desktop/views/graph_view.h"
#include "app/desktop/views/heatmap_view.h"
#include "app/desktop/views/liveness_view.h"
#include "app/desktop/views/loops_view.h"
#include "app/desktop/views/memory_map_view.h"
#include "app/desktop/views/pipes_view.h"
#include "app/desktop/views/replay_view.h"
#include "app/desktop/views/robustness_view.h"
#include "app/desktop/views/tables_view.h"
#include "app/desktop/views/usage_view.h"
#include "app/desktop/workspace.h"

namespace stowage {

namespace {

constexpr Panels around = Panel::sidebar | Panel::inspector;

template <typename Kind>
View* makeOwn(Workspace& workspace, const Look& look, QWidget* parent)
{
    return new Kind(workspace, look, parent);
}

} // namespace

const std::vector<ViewEntry>& viewEntries()
{
    static const std::vector<ViewEntry> entries{
        {"memory-map", "Memory map", "map", around | Panel::runs, makeOwn<MemoryMapView>},
        {"liveness", "Liveness", "liveness", around, makeOwn<LivenessView>},
        {"heatmap", "Heatmap", "heatmap", Panel::distributions, makeOwn<HeatmapView>},
        {"usage", "Usage", "usage", Panel::sidebar | Panel::distributions, makeOwn<UsageView>},
        {"pipes", "Pipes", "pipes", around, makeOwn<PipesView>, PipesView::applies},
        {"graph", "Graph", "graph", around, makeOwn<GraphView>},
        {"loops", "Loops", "loop", around, makeOwn<LoopsView>, LoopsView::applies},
        {"compare", "Compare", "compare", Panels(), makeOwn<CompareView>},
        {"replay", "Replay", "replay", around, makeOwn<ReplayView>},
        {"robustness", "Robustness", "spread", Panel::sidebar, makeOwn<RobustnessView>},
        {"tables", "Tables", "table", around, makeOwn<TablesView>},
    };
    return entries;
}

} // namespace stowage
