// Models that are easy for a target: where a quick heuristic has every pool at its bound, `auto` says so, and searches nothing.
#include "app/session/session.h"
#include "tests/support/shared.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>

using namespace stowage;
using namespace stowage::test;

namespace {

const char* const quickHeuristics[] = {"greedy-by-size", "greedy-by-breadth", "best-fit-decreasing", "tflm-greedy"};
/// Placements that `auto` tries for each buffer of an easy pair at most: those of the quick orders, and to move a few buffers.
constexpr std::uint64_t maxTries = 100;

bool everyMemoryAtItsBound(const Report& report)
{
    return report.verdict.valid() && !report.verdict.overCapacity &&
           std::ranges::all_of(report.pools, [](const PoolReport& pool) { return pool.size == pool.lowerBound; });
}

} // namespace

class EasyTargetsTest : public QObject {
    Q_OBJECT

private:
    Session session_;
    int rows_ = 0, ran_ = 0, easy_ = 0;

private Q_SLOTS:
    void initTestCase() { STOWAGE_NEEDS_SHARED(); }

    void easyPairsAreProvedWithoutASearch_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* kind : {"models/tflite", "models/onnx"}) {
            const QDir folder(sharedFile(kind));
            for (const QString& name : folder.entryList({"*.tflite", "*.onnx"}, QDir::Files)) {
                QTest::newRow(qPrintable(name)) << folder.filePath(name);
                ++rows_;
            }
        }
    }
    void easyPairsAreProvedWithoutASearch()
    {
        QFETCH(QString, path);
        OpenOptions options;
        QFile file(sharedFile("models/bindings.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject sizes =
            QJsonDocument::fromJson(file.readAll()).object()[path.section('/', -1)].toObject()["dims"].toObject();
        for (auto it = sizes.begin(); it != sizes.end(); ++it)
            options.bindings.emplace_back(it.key().toStdString(), it.value().toInteger());
        const auto model = session_.read(path, options);
        QVERIFY2(bool(model), model ? "" : toText(model.error()).c_str());
        for (const Target& target : session_.targets()) {
            if (target.name.startsWith("ascend")) continue; // memories of kernels
            PlanRequest request;
            request.target = target;
            const bool quick = std::ranges::any_of(quickHeuristics, [&](const char* name) {
                request.planner = name;
                const auto run = session_.planNow(*model, request);
                return run && everyMemoryAtItsBound((*run)->report);
            });
            if (!quick) continue;
            request.planner = "auto";
            const auto run = session_.planNow(*model, request);
            QVERIFY2(bool(run), run ? "" : toText(run.error()).c_str());
            const Report& report = (*run)->report;
            const QByteArray hint = target.name.toUtf8() + ": " + QByteArray::fromStdString(std::string(toText(report.status))) +
                                    ", work " + QByteArray::number(qulonglong((*run)->plan.work));
            // What is said of a part is never called optimal.
            QVERIFY2(report.status == (report.partial ? Status::feasible : Status::optimal), hint);
            QVERIFY2(everyMemoryAtItsBound(report), hint);
            QVERIFY2((*run)->plan.stoppedBy == StoppedBy::complete, hint);
            QVERIFY2((*run)->plan.work <= maxTries * (*run)->problem().buffers.size(), hint);
            ++easy_;
        }
        ++ran_;
    }
    /// So that the rows above have something to say; not where single rows were asked for.
    void thePairsThatAreEasyAreTheMajority()
    {
        if (ran_ == rows_) QVERIFY2(easy_ > 100, QByteArray::number(easy_));
    }
};

QTEST_GUILESS_MAIN(EasyTargetsTest)
#include "tst_easy_targets.moc"
