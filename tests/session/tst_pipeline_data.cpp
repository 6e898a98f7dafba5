// The stages of a configuration are planned within a limit of work, once, and not after a stop.
#include "app/session/pipeline_data.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <stop_token>
#include <utility>

using namespace stowage;

namespace {

/// Steps {x, y}, {y, w, v} and {w, z} hold 9 bytes each. Within 9 bytes y is above x, and w above z, which begin at multiples of
/// 8: both at 8, where they cannot be together. Whoever searches for 9 bytes searches on.
const char* const program =
    R"({"format": "stowage.program/1", "name": "gap", "entry": "main", "functions": [{"name": "main", "inputs": ["x"],
 "outputs": ["z"], "tensors": [{"name": "x", "kind": "input", "bytes": 8, "alignment": 8}, {"name": "y", "bytes": 1},
  {"name": "w", "bytes": 1}, {"name": "v", "bytes": 7}, {"name": "z", "kind": "output", "bytes": 8, "alignment": 8}],
 "ops": [{"name": "o0", "kind": "f", "inputs": ["x"], "outputs": ["y"], "cost_us": 10},
  {"name": "o1", "kind": "f", "inputs": ["y"], "outputs": ["w", "v"], "cost_us": 10},
  {"name": "o2", "kind": "f", "inputs": ["w"], "outputs": ["z"], "cost_us": 10}]}]})";

const char* const configuration = R"({"param_connection": [],
 "input_connection": [{"global_interface_name": "x", "mod_idx": 0, "module_interface_name": "x"}],
 "module_connection": [{"mod_idx": 0, "output": [{"output_idx": 0, "dependencies": [{"global_output_index": 0}]}],
   "x-stowage": {"program": "gap.json", "device": "d", "cost_us": 30}}],
 "x-stowage": {"model": "gap", "planner": "PLANNER", "chain": true,
   "devices": {"format": "stowage.devices/1", "devices": [{"name": "d", "kind": "cpu"}]}}})";

} // namespace

class PipelineDataTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

    [[nodiscard]] QString write(const QString& name, const QByteArray& text) const
    {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write");
        return folder_.filePath(name);
    }

    /// The pipeline of one stage, and its model.
    [[nodiscard]] std::pair<PipelineFile, pipeline::PipelineModel> read(const QByteArray& planner) const
    {
        (void)write(QStringLiteral("gap.json"), program);
        auto file = readPipeline(write(QStringLiteral("pipe.json"), QByteArray(configuration).replace("PLANNER", planner)));
        if (!file) qFatal("%s", toText(file.error()).c_str());
        auto model = modelOf(*file, 1);
        if (!model) qFatal("%s", toText(model.error()).c_str());
        return {*std::move(file), *std::move(model)};
    }

private Q_SLOTS:
    void stagesArePlannedWithinALimit()
    {
        const auto [file, model] = read("hill-climb"); // climbs on until the lower bound or the limit
        const auto figures = stageFigures(file, model);
        QVERIFY2(figures, figures ? "" : toText(figures.error()).c_str());
        QCOMPARE(figures->size(), std::size_t{1});
        const StageFigures& stage = figures->front();
        QVERIFY(stage.planned && stage.plan && !stage.unplanned);
        QCOMPARE(stage.memory.arenaBound, Bytes{9});
        QCOMPARE(stage.memory.arena, Bytes{10});
        QVERIFY(stage.plan->plan.stoppedBy == StoppedBy::workLimit);
    }

    void aStopEndsThePlanning()
    {
        const auto [file, model] = read("auto");
        std::stop_source stop;
        stop.request_stop();
        const auto figures = stageFigures(file, model, stop.get_token());
        QVERIFY(!figures);
        QVERIFY(figures.error().code == Code::cancelled);
    }

    /// The planner that the second file names does not exist, and is not asked.
    void aKernelTakesThePlanThatIsThere()
    {
        const auto [planned, same] = read("auto");
        const auto figures = stageFigures(planned, same);
        QVERIFY(figures && figures->front().plan);
        const auto [file, model] = read("nobody");
        QVERIFY(!stageFigures(file, model));
        QVERIFY(!kernelOf(file, model, 0, {}));
        QVERIFY(kernelOf(file, model, 0, {}, figures->front().plan.get()));
    }
};

QTEST_GUILESS_MAIN(PipelineDataTest)
#include "tst_pipeline_data.moc"
