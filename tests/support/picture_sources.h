// Something to show for every picture of the table: bundled samples, planned here. A new picture that none of them suits gets a
// line more.
#pragma once

#include "app/canvas/pictures/fit/fit_picture.h"
#include "app/canvas/pictures/pipeline/pipeline_picture.h"
#include "app/canvas/pictures/regression/regression_picture.h"
#include "app/canvas/pictures/replay/search_picture.h"
#include "app/canvas/pictures/robustness/robustness_picture.h"
#include "app/canvas/pictures/scene_cache.h"
#include "app/canvas/pictures/table.h"
#include "app/session/pipeline_study.h"
#include "tests/support/real_run.h"
#include "tests/support/sample_fit.h"

#include <memory>
#include <utility>
#include <vector>

namespace stowage::test {

/// A bundled sample with the steps of its planner, which replays are drawn from.
inline std::shared_ptr<const Run> samplePlanned(const char* name, const char* planner,
                                                const std::vector<std::pair<const char*, const char*>>& lowering = {})
{
    return realRun(name, planner, lowering, true);
}

/// A small network on two equal devices; null when a step fails.
inline std::shared_ptr<const PictureSubject> samplePipeline(const std::shared_ptr<const Run>& run)
{
    if (!run) return nullptr;
    StudyRequest request;
    request.program = run->program;
    request.name = "sample";
    request.devices.devices = {pipeline::plainDevice(0), pipeline::plainDevice(1)};
    const auto study = std::make_shared<PipelineStudy>(request);
    const auto answer = study->best(8, 1);
    if (!answer || !answer->data) return nullptr;
    auto subject = std::make_shared<PipelineSubject>();
    subject->data = answer->data;
    const StagePlacement placement = placementOf(answer->split.stages);
    subject->cuts = placement.cuts;
    subject->latency = answer->split.latency;
    subject->bound = answer->split.bound;
    subject->proved = true;
    const auto& bindings = run->lowering->instances.front().bindings;
    for (const OpId op : study->map().ops()) {
        auto& own = subject->buffers.emplace_back();
        for (const TensorId tensor : study->map().function().ops[std::size_t(op)].outputs)
            if (bindings[std::size_t(tensor)].buffer != none) own.push_back(bindings[std::size_t(tensor)].buffer);
    }
    subject->effect = [study, placement](std::size_t border, std::size_t cut) -> std::optional<BorderEffect> {
        if (!study->map().allowed(cut)) return std::nullopt;
        StagePlacement moved = placement;
        moved.cuts[border] = cut;
        const pipeline::Split split = study->timesOf(moved);
        BorderEffect effect{split.period, split.latency, {}};
        for (const pipeline::SplitStage& stage : split.stages) effect.costs.push_back(stage.cost);
        return effect;
    };
    return subject;
}

/// A suite of three rows: one larger than its baseline, one as it was, one that failed. Null when a run is missing.
inline std::shared_ptr<const PictureSubject> sampleRegression(const std::shared_ptr<const Run>& now,
                                                              const std::shared_ptr<const Run>& before)
{
    if (!now || !before) return nullptr;
    const auto row = [](const char* key, const std::shared_ptr<const Run>& current, const std::shared_ptr<const Run>& baseline) {
        RegressionRow made;
        const SuiteFigures was = figuresOf(*baseline);
        made.result = judge(key, figuresOf(*current), &was, {});
        made.result.current->version = made.result.baseline->version = "1";
        made.result.model = "models/network.json";
        made.result.planner = current->plan.planner;
        made.current = current;
        made.baseline = baseline;
        made.history = {{"2026-11-20T00:00:00Z", was.size}, {"2026-11-21T00:00:00Z", was.size}};
        return made;
    };
    auto regression = std::make_shared<Regression>();
    regression->suite.name = "sample";
    regression->written = "2026-11-21";
    regression->baselineVersion = "1";
    regression->baselineRows = 3;
    RegressionRow failed;
    failed.result.key = "models/lost.json naive";
    failed.result.model = "models/lost.json";
    failed.result.planner = "naive";
    failed.result.verdict = RowVerdict::failed;
    failed.result.error = failure(Code::cannotOpen, "cannot be opened: No such file or directory");
    failed.noBaseline = "the baseline was written without plans";
    regression->rows = {failed, row("models/network.json naive", now, before),
                        row("models/network.json greedy-by-size", before, before)};
    std::vector<RowResult> results;
    for (const RegressionRow& each : regression->rows) results.push_back(each.result);
    regression->counts = countsOf(results);
    auto subject = std::make_shared<RegressionSubject>();
    subject->regression = std::move(regression);
    return subject;
}

/// A search of four plans with recorded steps, a study of robustness with a planning that does not fit, and a fit, as pictures
/// show them; null for any other name.
inline std::shared_ptr<const PictureSubject> sampleFigures(const QString& id)
{
    if (id == u"search") {
        auto search = std::make_shared<SearchSubject>();
        search->samples = {{1, 10, 4096, 1024}, {2, 20, 3072, 1024}, {5, 50, 2048, 1500}, {9, 90, 1536, 1536}};
        search->curve.byWork = true;
        search->curve.xTitle = QStringLiteral("recorded step");
        search->curve.marker = 50;
        return search;
    }
    if (id == u"robustness") {
        auto study = std::make_shared<RobustnessSubject>();
        study->rows = {{QStringLiteral("Seeds"), QStringLiteral("the problem itself"), {}},
                       {QStringLiteral("Other sizes"), QStringLiteral("each ± 5 % at most"), {}}};
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            study->rows[0].samples.push_back({seed, false, 1024 + Bytes(seed % 3) * 16, 1024, true, true});
            study->rows[1].samples.push_back({seed, true, 1024 + Bytes(seed) * 8, 1024, true, seed < 5});
        }
        return study;
    }
    if (id == u"fit") {
        auto fitted = std::make_shared<Fit>(doorbell());
        fitted->rows[0].run = samplePlanned("mobilenet_v1_025", "tflm-greedy");
        auto subject = std::make_shared<FitSubject>();
        subject->fit = std::move(fitted);
        return subject;
    }
    return nullptr;
}

/// The first sample that the picture can show; without a run when there is none.
inline PictureSource sourceFor(const PictureEntry& entry)
{
    static const std::vector<std::shared_ptr<const Run>> runs{
        samplePlanned("lstm_loop", "greedy-by-size"),
        samplePlanned("double_buffered_matmul", "hivm", {{"order", "hivm"}}),
    };
    static const std::shared_ptr<const Run> packed = samplePlanned("mlp_packed_weights", "greedy-by-size");
    if (QLatin1String(entry.id) == QLatin1String("pipeline")) {
        static const std::shared_ptr<const Run> network = samplePlanned("mobilenet_v1_025", "greedy-by-size");
        static const auto pipeline = samplePipeline(network);
        PictureSource source;
        source.run = network;
        source.runs = {network};
        source.scenes = std::make_shared<SceneCache>();
        if (network) source.program = network->program;
        source.subject = pipeline;
        return source;
    }
    if (QLatin1String(entry.id) == QLatin1String("regression")) {
        static const std::shared_ptr<const Run> larger = samplePlanned("mobilenet_v1_025", "naive");
        static const std::shared_ptr<const Run> smaller = samplePlanned("mobilenet_v1_025", "greedy-by-size");
        static const auto regression = sampleRegression(larger, smaller);
        PictureSource source;
        source.scenes = std::make_shared<SceneCache>();
        source.subject = regression;
        return source;
    }
    if (auto figures = sampleFigures(QString::fromLatin1(entry.id))) {
        PictureSource source;
        source.scenes = std::make_shared<SceneCache>();
        source.subject = std::move(figures);
        return source;
    }
    const bool folds = QLatin1String(entry.id) == QLatin1String("fold"); // others have constants too, but little to fold
    for (const auto& run : folds ? std::vector{packed} : runs) {
        PictureSource source;
        source.run = run;
        source.runs = {run};
        source.scenes = std::make_shared<SceneCache>();
        if (run) source.program = run->program;
        if (run && !whyNoPicture(entry, source)) return source;
    }
    return {};
}

} // namespace stowage::test
