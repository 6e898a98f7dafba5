#include "app/canvas/pictures/table.h"

#include "app/canvas/pictures/compare/compare_picture.h"
#include "app/canvas/pictures/fit/fit_picture.h"
#include "app/canvas/pictures/fold/fold_picture.h"
#include "app/canvas/pictures/graph/graph_picture.h"
#include "app/canvas/pictures/heatmap/heat_picture.h"
#include "app/canvas/pictures/loops/loops_picture.h"
#include "app/canvas/pictures/map/stack_picture.h"
#include "app/canvas/pictures/pipeline/pipeline_picture.h"
#include "app/canvas/pictures/pipes/pipe_picture.h"
#include "app/canvas/pictures/regression/regression_picture.h"
#include "app/canvas/pictures/replay/replay_picture.h"
#include "app/canvas/pictures/replay/search_picture.h"
#include "app/canvas/pictures/robustness/robustness_picture.h"
#include "app/canvas/pictures/usage/usage_picture.h"

#include <algorithm>
#include <array>

namespace stowage {

namespace {

template <typename Kind>
std::unique_ptr<Picture> make()
{
    return std::make_unique<Kind>();
}

template <unsigned bands>
std::unique_ptr<Picture> makeStack()
{
    return std::make_unique<StackPicture>(bands);
}

template <GraphKind kind>
std::unique_ptr<Picture> makeGraph()
{
    return std::make_unique<GraphPicture>(kind);
}

} // namespace

std::span<const PictureEntry> pictureTable()
{
    using enum PictureTab;
    static const std::array table{
        PictureEntry{"memory-map", "Memory map", "map", "which buffer lies where and when", "why-is-the-peak-so-high", always,
                     makeStack<bandCurve | bandOps | bandMap | bandRows>, nullptr},
        PictureEntry{"liveness", "Liveness", "liveness", "when each buffer is live", "why-is-the-peak-so-high", always,
                     makeStack<bandCurve | bandOps | bandRows>, nullptr},
        PictureEntry{"heatmap", "Heatmap", "heatmap", "how full addresses are over time", "the-views", always, make<HeatPicture>,
                     nullptr},
        PictureEntry{"usage", "Usage", "usage", "live, allocated and free bytes over time", "the-views", always,
                     make<UsagePicture>, nullptr},
        PictureEntry{"pipes", "Pipes", "pipes", "what each pipe of a kernel does over time", "ascend-hivm", applies,
                     make<PipePicture>, PipePicture::whyNot},
        PictureEntry{"graph", "Graph", "graph", "ops and what flows between them", "the-views", always,
                     makeGraph<GraphKind::computation>, nullptr},
        PictureEntry{"interference", "Interference", "graph", "buffers that may not share a byte", "the-views", never,
                     makeGraph<GraphKind::interference>, nullptr},
        PictureEntry{"allocation", "Allocation", "graph", "which bytes go from which buffer to which", "the-views", never,
                     makeGraph<GraphKind::allocation>, nullptr},
        PictureEntry{"pipeline", "Pipeline", "pipeline", "stages of a model on devices, and their frames over time", "pipelines",
                     applies, make<PipelinePicture>, PipelinePicture::whyNot, false},
        PictureEntry{"fold", "Fold", "fold", "what runs once instead of in every run, and what that saves", "constant-folding",
                     applies, make<FoldPicture>, FoldPicture::whyNot},
        PictureEntry{"loops", "Loops", "loop", "what a loop carries, and where it lies in each iteration", "loops-without-copies",
                     applies, make<LoopsPicture>, LoopsPicture::whyNot},
        PictureEntry{"regression", "Regression", "regression", "a suite of models against its baseline, and the maps of both",
                     "regression-suites", applies, make<RegressionPicture>, RegressionPicture::whyNot, false},
        PictureEntry{"compare", "Compare", "compare", "the plans of several planners side by side", "compare-planners", never,
                     make<ComparePicture>, nullptr},
        PictureEntry{"replay", "Replay", "replay", "a planner's search, step by step", "the-views", never, make<ReplayPicture>,
                     ReplayPicture::whyNot, true, true},
        PictureEntry{"search", "Search", "replay", "the best size and the lower bound while a planner searches", "the-views",
                     never, make<SearchPicture>, SearchPicture::whyNot, false},
        PictureEntry{"fit", "Fit", "ruler", "how big the arena must be, by planner", "tflite-micro", never, make<FitPicture>,
                     FitPicture::whyNot, false},
        PictureEntry{"robustness", "Robustness", "spread", "how much a planner's result depends on its seed and on sizes",
                     "compare-planners", never, make<RobustnessPicture>, RobustnessPicture::whyNot, false},
    };
    return table;
}

const PictureEntry* pictureEntry(const QString& id)
{
    const auto table = pictureTable();
    const auto found = std::ranges::find_if(table, [&](const PictureEntry& entry) { return id == QLatin1String(entry.id); });
    return found == table.end() ? nullptr : &*found;
}

std::optional<Error> whyNoPicture(const PictureEntry& entry, const PictureSource& source)
{
    return entry.whyNot ? entry.whyNot(source) : whyNoRun(source);
}

} // namespace stowage
