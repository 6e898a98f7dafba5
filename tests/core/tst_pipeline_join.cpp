// Stages put together again: what a split took apart is whole, and bad configurations are refused.
#include "core/io/pipeline_json.h"
#include "core/ir/verify.h"
#include "core/lower/lower.h"
#include "core/pipeline/join.h"
#include "core/pipeline/simulate.h"
#include "core/pipeline/split.h"
#include "core/planners/registry.h"
#include "tests/core/random_program.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace stowage;
using namespace stowage::pipeline;

namespace {

struct Whole {
    std::vector<std::string> ops;
    std::vector<std::string> inputs;
    std::vector<std::optional<Bytes>> outputs;
    Bytes constants = 0;

    explicit Whole(const Program& program)
    {
        const Function& main = program.main();
        for (const OpId op : main.body().ops)
            if (!makesConstant(main, main.ops[at(op)])) ops.push_back(main.ops[at(op)].kind);
        for (const TensorId id : main.body().inputs) inputs.push_back(main.tensors[at(id)].name);
        std::ranges::sort(inputs);
        std::vector<TensorId> met; // an output that is listed twice is given once
        for (const TensorId id : main.body().outputs) {
            if (std::ranges::find(met, id) != met.end()) continue;
            met.push_back(id);
            outputs.push_back(main.tensors[at(id)].bytes);
        }
        for (const Tensor& tensor : main.tensors)
            if (tensor.kind == TensorKind::constant && tensor.aliasOf == none) constants += tensor.bytes.value_or(0);
    }
};

/// Any allowed cuts, and the configuration of the stages between them.
struct Taken {
    PipelineConfig config;
    std::vector<std::shared_ptr<const Program>> programs;
    std::vector<std::size_t> cuts;

    Taken(const Program& program, std::mt19937& random)
    {
        const CutMap map(program);
        for (std::size_t cut = 1; cut < map.size(); ++cut)
            if (map.allowed(cut) && random() % 3 == 0) cuts.push_back(cut);
        const auto stages = splitAt(program, map, cuts);
        Split split;
        DeviceSet devices;
        std::size_t begin = 0;
        for (std::size_t s = 0; s < stages.size(); ++s) {
            devices.devices.push_back(plainDevice(s));
            SplitStage stage;
            stage.begin = begin;
            stage.end = s < cuts.size() ? cuts[s] : map.size();
            stage.device = static_cast<std::int32_t>(s);
            split.stages.push_back(stage);
            begin = stage.end;
            programs.push_back(std::make_shared<const Program>(stages[s].program));
        }
        config = configOf(split, devices, stages);
    }
};

} // namespace

class PipelineJoinTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatASplitTookApartIsWholeAgain()
    {
        std::size_t cut = 0;
        for (unsigned seed = 1; seed <= 300; ++seed) {
            std::mt19937 random(seed + stowage::test::seedShift());
            const Program program = test::randomProgram(seed);
            const CutMap map(program);
            if (map.size() < 2) continue;
            const Taken taken(program, random);
            const auto joined = joinStages(taken.config, taken.programs);
            for (const auto& stage : taken.programs) QVERIFY2(verify(*stage).empty(), qPrintable(QString::number(seed)));
            QVERIFY2(bool(joined), qPrintable(QStringLiteral("seed %1: %2")
                                                  .arg(seed)
                                                  .arg(joined ? QString() : QString::fromStdString(joined.error().message))));
            QCOMPARE(joined->cuts, taken.cuts);
            QVERIFY(verify(joined->program).empty());
            const Whole before(program), after(joined->program);
            QVERIFY2(before.ops == after.ops, qPrintable(QString::number(seed)));
            QVERIFY2(before.outputs == after.outputs, qPrintable(QString::number(seed)));
            // An input that no op reads has no stage.
            QVERIFY2(std::ranges::includes(before.inputs, after.inputs), qPrintable(QString::number(seed)));
            // What crosses the cuts is what crossed them in the program that was split.
            const CutMap again(joined->program);
            for (const std::size_t each : taken.cuts) QCOMPARE(again.crossing(each), map.crossing(each));
            cut += taken.cuts.size();
        }
        QVERIFY(cut > 200); // the programs leave enough to cut
    }

    void aModuleWithoutAProgramIsRefused()
    {
        PipelineConfig config;
        config.modules.resize(2);
        config.modules[1].index = 1;
        const std::vector<std::shared_ptr<const Program>> programs(2);
        const auto joined = joinStages(config, programs);
        QVERIFY(!joined);
        QVERIFY(joined.error().message.find("module 0") != std::string::npos);
        QVERIFY(!joinStages({}, {}));
    }

    /// A trace read back has the frames that were written, whatever others put between.
    void tracesAreReadBack()
    {
        PipelineModel model;
        model.stages.resize(2);
        model.stages[0].cost = toTicks(10);
        model.stages[0].outputs = {0};
        model.stages[1].cost = toTicks(30);
        model.stages[1].inputs = {0};
        model.stages[1].resource = 1;
        model.resources = 2;
        model.connections.resize(1);
        model.connections[0].to = 1;
        SimulateOptions options;
        options.frames = 5;
        const auto run = simulate(model, options);
        QVERIFY(run);
        RunResult other = *run;
        for (StageRun& stage : other.stages) stage.frames.resize(2);
        const io::TracedRun runs[] = {{"measured", &*run}, {"something else", &other}};
        const std::string text = io::writeChromeTrace(model, runs);
        const auto read = io::readChromeTrace(text, "trace.json");
        QVERIFY(read);
        QCOMPARE(read->framesOut, std::int64_t(5));
        QCOMPARE(read->total, toTicks(10 + 5 * 30)); // sum + 4 x max
        QCOMPARE(read->period, toTicks(30));
        QCOMPARE(read->stages[1].frames[4].finish, run->stages[1].frames[4].finish);
        QCOMPARE(read->stages[0].stalls.output, run->stages[0].stalls.output);
        // As a bare list, with events of others.
        const std::string bare = R"([{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"stage 0"}},)"
                                 R"({"ph":"C","name":"x","ts":1,"cat":"y"},)"
                                 R"({"name":"frame 0","ph":"X","pid":1,"tid":1,"ts":2,"dur":3,"args":{"frame":0}},)"
                                 R"({"name":"frame 9","ph":"X","pid":1,"tid":1,"ts":2,"dur":3,"args":{"frame":9}}])";
        const auto short_ = io::readChromeTrace(bare, "t");
        QVERIFY(short_);
        QCOMPARE(short_->framesOut, std::int64_t(1)); // frame 9 comes after a gap
        QCOMPARE(short_->total, toTicks(5));
    }

    void sumsOfHostileTimesDoNotOverflow()
    {
        std::string text = R"([{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"stage 0"}})";
        for (int f = 0; f < 300; ++f) // 300 days; 63 bits hold 106
            text += R"(,{"name":"f","ph":"X","pid":1,"tid":1,"ts":1e300,"dur":1e300,"args":{"frame":)" + std::to_string(f) + "}}";
        const auto read = io::readChromeTrace(text + "]", "t");
        QVERIFY(read);
        QCOMPARE(read->stages[0].busy, maxTicks);
        QCOMPARE(read->framesOut, std::int64_t(300));
    }

    void whatIsNoTraceIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("traceEvents");
        QTest::newRow("no events") << QByteArray("{}");
        QTest::newRow("no stages") << QByteArray(R"({"traceEvents": [{"ph": "X", "ts": 0, "dur": 1}]})");
        QTest::newRow("cut off") << QByteArray(R"({"traceEvents": [{"ph": "M", "name": )");
        QTest::newRow("stages without frames")
            << QByteArray(R"([{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"stage 0"}}])");
    }
    void whatIsNoTraceIsRefused()
    {
        QFETCH(QByteArray, text);
        const auto read = io::readChromeTrace({text.constData(), std::size_t(text.size())}, "trace.json");
        QVERIFY(!read);
        QVERIFY(!read.error().message.empty());
    }
};

QTEST_APPLESS_MAIN(PipelineJoinTest)
#include "tst_pipeline_join.moc"
