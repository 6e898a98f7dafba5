// The limits under which `fit` plans: those of the user for its rows, its own for the changes that it suggests; and which of
// these are proved.
#include "app/session/fit.h"
#include "app/session/session.h"
#include "core/planners/greedy/greedy_by_size.h"
#include "tests/support/buffer_of.h"

#include <QByteArray>
#include <QTest>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace stowage;

namespace {

/// The limits of one planning.
struct Limits {
    std::uint64_t work = 0; ///< 0: none
    bool deadline = false;
    friend bool operator==(const Limits&, const Limits&) = default;
};

/// Plans by size, and notes its limits.
class LimitNoter : public Planner {
public:
    LimitNoter() { info_.name = "test-limits"; }
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        noted.push_back({context.workLimit, context.deadline.has_value()});
        return inner_->plan(problem, options, context);
    }

    mutable std::vector<Limits> noted; ///< by planning

private:
    PlannerInfo info_;
    std::shared_ptr<const Planner> inner_ = greedyBySize();
};

Model arenaModel(std::vector<Buffer> buffers)
{
    Problem problem;
    problem.pools.emplace_back().name = "arena";
    problem.buffers = std::move(buffers);
    Model model;
    model.importer = "tflm";
    model.problem = std::make_shared<const Problem>(std::move(problem));
    return model;
}

} // namespace

class TestFit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qunsetenv("STOWAGE_PLUGIN_PATH"); }

    /// A change is planned several times, with 100,000 placements each as those of `explain` are, or fewer if the user says so. A
    /// time limit is that of one plan. 128 bytes at steps 0 to 2, 1,024 at step 0, and 1,024 of scratch at step 2: half of
    /// 'small' is such a change.
    void changesHaveLimitsOfTheirOwn_data()
    {
        QTest::addColumn<quint64>("work");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<quint64>("workOfChange");
        QTest::newRow("no limit") << quint64{0} << 0.0 << quint64{100'000};
        QTest::newRow("much time") << quint64{0} << 3600.0 << quint64{100'000};
        QTest::newRow("much work") << quint64{1'000'000'000} << 0.0 << quint64{100'000};
        QTest::newRow("little work, much time") << quint64{7} << 3600.0 << quint64{7};
    }
    void changesHaveLimitsOfTheirOwn()
    {
        QFETCH(quint64, work);
        QFETCH(double, seconds);
        QFETCH(quint64, workOfChange);
        const std::vector<Buffer> tensors{test::bufferOf({.name = "small", .size = 128, .live = {{0, 3}}}),
                                          test::bufferOf({.name = "big", .size = 1024, .live = {{0, 1}}})};
        std::vector<Buffer> recorded = tensors;
        recorded.push_back(test::bufferOf({.name = "id2", .size = 1024, .live = {{2, 3}}}));
        const Model model = arenaModel(tensors), log = arenaModel(recorded);
        Session session;
        const auto noter = std::make_shared<LimitNoter>();
        QVERIFY(!session.addPlanner(noter));
        PlanRequest request;
        request.planner = noter->info().name;
        request.workLimit = work;
        request.timeLimitSeconds = seconds;
        const auto found = fit(session, model, request, &log);
        QVERIFY2(bool(found), found ? "" : toText(found.error()).c_str());
        QVERIFY(!found->changes.empty());
        const Limits ofRow{work, seconds > 0}, ofChange{workOfChange, false};
        const auto firstChange = std::ranges::find(noter->noted, ofChange);
        QVERIFY(firstChange != noter->noted.begin() && firstChange != noter->noted.end());
        QCOMPARE(std::count(noter->noted.begin(), firstChange, ofRow), firstChange - noter->noted.begin());
        QCOMPARE(std::count(firstChange, noter->noted.end(), ofChange), noter->noted.end() - firstChange);
    }

    /// Of two memories, each with its capacity, the sum of the runtime's planner is smaller, and one of its memories too large.
    void aSmallerSumThatDoesNotFitIsNoAnswer()
    {
        Fit fit;
        fit.runtime = Runtime::executorch;
        fit.rows.resize(2);
        fit.rows[0].arena = 100;
        fit.rows[0].fits = false;
        fit.rows[1].arena = 120;
        fit.rows[1].fits = true;
        fit.answer = 1;
        QCOMPARE(gainLine(fit), std::string("ExecuTorch's greedy planner needs 100 B, which do not fit; "
                                            "a plan in the file needs 120 B"));
        fit.answer = 0;
        fit.rows[0].fits = true;
        QVERIFY2(gainLine(fit).find("do not fit") == std::string::npos, gainLine(fit).c_str());
    }

    /// Half of 'a' leaves 50 + 50 bytes and those of h, which are live together at 'op1'. If the size of h is unknown, no one
    /// knows the smallest size.
    void noChangeOfAPartIsProved_data()
    {
        QTest::addColumn<QByteArray>("shape");
        QTest::addColumn<bool>("partial");
        QTest::newRow("all sizes are known") << QByteArray("[2, 4]") << false;
        QTest::newRow("one size is unknown") << QByteArray("[-1, 4]") << true;
    }
    void noChangeOfAPartIsProved()
    {
        QFETCH(QByteArray, shape);
        QFETCH(bool, partial);
        const Session session;
        const QByteArray text =
            R"({"format": "stowage.program/1", "name": "part", "entry": "main", "functions": [{"name": "main", "inputs": [], )"
            R"("outputs": [], "tensors": [{"name": "a", "bytes": 100}, {"name": "b", "bytes": 50}, )"
            R"({"name": "h", "dtype": "f32", "shape": )" +
            shape +
            R"(}], "ops": [{"name": "op0", "kind": "f", "inputs": [], "outputs": ["a", "h"]}, )"
            R"({"name": "op1", "kind": "f", "inputs": ["a", "h"], "outputs": ["b"]}]}]})";
        const auto model = session.readText(QStringLiteral("part.json"), text);
        QVERIFY2(bool(model), model ? "" : toText(model.error()).c_str());
        const auto found = fit(session, *model, {});
        QVERIFY2(bool(found), found ? "" : toText(found.error()).c_str());
        QCOMPARE(found->best().partial, partial);
        QVERIFY(!found->changes.empty());
        QCOMPARE(std::ranges::any_of(found->changes, &FitChange::proved), !partial);
    }
};

QTEST_GUILESS_MAIN(TestFit)
#include "tst_fit.moc"
