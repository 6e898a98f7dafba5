// Real models give exactly the activations, live ranges and arenas that independent scripts found for them: through importer,
// lowering and planners.
#include "core/ir/verify.h"
#include "core/lower/lower.h"
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "tests/plugins/reference.h"
#include "tests/plugins/tflite_support.h"

#include <QTest>

#include <algorithm>

using namespace stowage;
using namespace stowage::test;

namespace {

std::string toText(const std::vector<Activation>& list)
{
    std::string out;
    for (const Activation& a : list)
        out += '[' + std::to_string(a.tensor) + ' ' + std::to_string(a.first) + ' ' + std::to_string(a.last) + ' ' +
               std::to_string(a.bytes) + ']';
    return out;
}

bool same(const std::vector<Activation>& a, const std::vector<Activation>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Activation& x, const Activation& y) {
        return x.tensor == y.tensor && x.first == y.first && x.last == y.last && x.bytes == y.bytes;
    });
}

/// The buffers of a lowering by tensor, inclusive at both ends. `timeOf` leads from a step to the reference's time.
template <typename TimeOf>
std::vector<Activation> activations(const Lowering& lowering, TimeOf&& timeOf)
{
    std::vector<Activation> list;
    for (std::size_t b = 0; b < lowering.problem.buffers.size(); ++b) {
        const Buffer& buffer = lowering.problem.buffers[b];
        if (buffer.size == 0) continue;
        list.push_back({lowering.origins[b].tensor, timeOf(buffer.hull().begin), timeOf(buffer.hull().end - 1), buffer.size});
    }
    std::sort(list.begin(), list.end(), [](const Activation& a, const Activation& b) { return a.tensor < b.tensor; });
    return list;
}

LowerOptions lowerOptions(ViewMode views, Bytes alignment)
{
    LowerOptions options;
    options.views = views;
    options.alignment = alignment;
    return options;
}

/// Imports, verifies and lowers; fails the test with the reason where that goes wrong.
class Lowered {
public:
    Lowered(const ReferenceModel& model, const Options& options) : imported_(importBytes(bytesOf(model.path), options))
    {
        if (!imported_)
            error_ = toText(imported_.error());
        else if (const Diagnostics wrong = verify(program()); !wrong.empty())
            error_ = stowage::toText(wrong.front());
    }

    const Program& program() const { return std::get<Program>(imported_->content); }
    const std::string& error() const { return error_; }
    Lowering lower(ViewMode views, Bytes alignment)
    {
        auto lowering = stowage::lower(program(), lowerOptions(views, alignment));
        if (!lowering) {
            error_ = toText(lowering.error());
            return {};
        }
        return std::move(*lowering);
    }

private:
    Expected<Imported> imported_;
    std::string error_;
};

} // namespace

class TestTflite : public QObject {
    Q_OBJECT

private:
    std::vector<ReferenceModel> models_;
    const PlannerRegistry planners_ = PlannerRegistry::builtIn();

    const ReferenceModel& model() const
    {
        QFETCH_GLOBAL(int, model);
        return models_[static_cast<std::size_t>(model)];
    }

    /// Compares what a problem comes to with the reference; figures that it does not have (0) are passed over.
    void compare(const Problem& problem, const Arenas& expected, const QString& where)
    {
        Bytes naive = 0;
        for (const Buffer& buffer : problem.buffers) naive += buffer.size;
        QVERIFY2(naive == expected.naive,
                 qPrintable(QStringLiteral("%1: naive %2, not %3").arg(where).arg(naive).arg(expected.naive)));
        const Bytes peak = lowerBound(problem, 0).bytes;
        QVERIFY2(peak == expected.peak,
                 qPrintable(QStringLiteral("%1: peak %2, not %3").arg(where).arg(peak).arg(expected.peak)));
        const std::pair<const char*, Bytes> arenas[] = {{"greedy-by-size", expected.greedyBySize},
                                                        {"greedy-by-breadth", expected.greedyByBreadth},
                                                        {"tflm-greedy", expected.tflmGreedy}};
        for (const auto& [planner, bytes] : arenas) {
            if (bytes == 0) continue;
            const auto plan = planners_.find(planner)->plan(problem, {}, {});
            QVERIFY2(bool(plan), planner);
            QVERIFY(check(problem, *plan).valid());
            const Bytes size = plan->poolSize(problem, 0);
            QVERIFY2(
                size == bytes,
                qPrintable(QStringLiteral("%1: %2 gives %3, not %4").arg(where, QLatin1String(planner)).arg(size).arg(bytes)));
        }
    }

    void compareAll(Lowered& lowered, ViewMode views, const ArenasByAlignment& expected)
    {
        for (const auto& [alignment, arenas] : expected) {
            const Lowering lowering = lowered.lower(views, alignment);
            QVERIFY2(lowered.error().empty(), lowered.error().c_str());
            compare(lowering.problem, arenas, QStringLiteral("alignment %1").arg(alignment));
            if (QTest::currentTestFailed()) return;
        }
    }

private Q_SLOTS:
    void initTestCase_data()
    {
        models_ = referenceModels(QStringLiteral("tflite"));
        // The reference counts each tensor of this one by itself, and they lie in one another: it has a test of its own.
        std::erase_if(models_,
                      [](const ReferenceModel& model) { return model.id.endsWith(QLatin1String("person_detect_vela.tflite")); });
        addModelRows(models_);
    }

    void initTestCase()
    {
        STOWAGE_NEEDS_SHARED();
        QCOMPARE(models_.size(), std::size_t{34});
    }

    void activationsOfTheMainGraphEqualTheReference()
    {
        Lowered lowered(model(), {{"subgraphs", "main"}});
        const Lowering lowering = lowered.lower(ViewMode::separate, 1);
        QVERIFY2(lowered.error().empty(), lowered.error().c_str());
        const ReferenceGraph& graph = model().graphs.front();
        const Function& main = lowered.program().main();
        QCOMPARE(static_cast<int>(main.ops.size()), graph.ops);
        for (std::size_t i = 0; i < main.ops.size(); ++i)
            QCOMPARE(QString::fromStdString(main.ops[i].kind),
                     QString(graph.kinds[static_cast<qsizetype>(i)]).remove(QLatin1String("CUSTOM:")));
        const auto found = activations(lowering, [](Step step) { return step - 1; });
        QVERIFY2(same(found, graph.activations), (toText(found) + " != " + toText(graph.activations)).c_str());
    }

    void flatActivationsEqualTheReference()
    {
        Lowered lowered(model(), {{"subgraphs", "flat"}});
        const Lowering lowering = lowered.lower(ViewMode::separate, 1);
        QVERIFY2(lowered.error().empty(), lowered.error().c_str());
        // On the reference's time line a sub-graph is left at the time of the last thing in it.
        const Function& main = lowered.program().main();
        std::vector<Step> times;
        for (const StepInfo& step : lowering.steps) {
            const bool leaves = step.op != none && main.ops[static_cast<std::size_t>(step.op)].kind == "leave";
            times.push_back(times.empty() ? 0 : times.back() + (leaves ? 0 : 1));
        }
        const auto found = activations(lowering, [&](Step step) { return times[static_cast<std::size_t>(step)]; });
        QCOMPARE(static_cast<int>(found.size()), model().flatCount);
        if (!model().flat.empty()) {
            auto expected = model().flat;
            std::sort(expected.begin(), expected.end(),
                      [](const Activation& a, const Activation& b) { return a.tensor < b.tensor; });
            QVERIFY2(same(found, expected), (toText(found) + " != " + toText(expected)).c_str());
        }
    }

    void arenasOfTheMainGraphEqualTheReference()
    {
        Lowered lowered(model(), {{"subgraphs", "main"}});
        compareAll(lowered, ViewMode::separate, model().graphs.front().arenas);
    }

    void flatArenasEqualTheReference()
    {
        Lowered lowered(model(), {{"subgraphs", "flat"}});
        compareAll(lowered, ViewMode::separate, model().tflmFlat);
    }

    void arenasWithViewsMergedEqualTheReference()
    {
        Lowered lowered(model(), {{"subgraphs", "main"}});
        compareAll(lowered, ViewMode::merged, model().graphs.front().viewsMerged);
    }

    void arenasWithoutInterfaceEqualTheReference()
    {
        Lowered lowered(model(), {{"subgraphs", "main"}, {"io", "excluded"}});
        const Lowering lowering = lowered.lower(ViewMode::separate, 1);
        QVERIFY2(lowered.error().empty(), lowered.error().c_str());
        compare(lowering.problem, model().graphs.front().ioExcluded, QStringLiteral("io excluded"));
    }

    void nestedProgramsNeedWhatTheMainGraphNeedsAtLeast()
    {
        Lowered nested(model(), {});
        const Lowering lowering = nested.lower(ViewMode::separate, 1);
        QVERIFY2(nested.error().empty(), nested.error().c_str());
        const Bytes peak = lowerBound(lowering.problem, 0).bytes;
        const Bytes main = model().graphs.front().arenas.at(1).peak;
        if (model().graphs.size() == 1)
            QCOMPARE(peak, main);
        else
            QVERIFY(peak >= main);
    }
};

QTEST_GUILESS_MAIN(TestTflite)
#include "tst_tflite.moc"
