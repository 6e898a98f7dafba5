// The greedy planners give the figures of the reference models to the byte. The lifetimes come straight from reference.json, so
// that no importer stands between.
#include "core/planners/registry.h"
#include "tests/support/shared.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace stowage;

class TestPlannerReference : public QObject {
    Q_OBJECT

private:
    /// `records` are [index, first, last, size] with both steps included, the first possible one being -1. Sizes are rounded up.
    static Problem problemOf(const QJsonArray& records, Bytes alignment)
    {
        Problem problem;
        Pool arena;
        arena.name = "arena";
        arena.alignment = alignment;
        problem.pools.push_back(arena);
        for (const QJsonValue& value : records) {
            const QJsonArray record = value.toArray();
            Buffer buffer;
            buffer.name = std::to_string(problem.buffers.size());
            buffer.size = (record[3].toInteger() + alignment - 1) / alignment * alignment;
            buffer.live.push_back({record[1].toInteger() + 1, record[2].toInteger() + 2});
            problem.buffers.push_back(std::move(buffer));
        }
        return problem;
    }

    static inline int figures = 0; ///< compared

    /// Compares all planners at all alignments with the figures of one timeline.
    static void compare(const QString& where, const QJsonArray& records, const QJsonObject& arena)
    {
        static const std::pair<const char*, const char*> planners[] = {
            {"naive", "naive"},
            {"greedy-by-size", "greedy_by_size"},
            {"greedy-by-breadth", "greedy_by_breadth"},
            {"tflm-greedy", "tflm_greedy"},
        };
        const PlannerRegistry registry = PlannerRegistry::builtIn();
        for (auto it = arena.begin(); it != arena.end(); ++it) {
            const Problem problem = problemOf(records, it.key().toLongLong());
            for (const auto& [name, key] : planners) {
                const Expected<Plan> plan = registry.find(name)->plan(problem, {}, {});
                QVERIFY2(plan, qPrintable(where));
                const QString label = QString("%1, alignment %2, %3").arg(where, it.key(), name);
                QVERIFY2(it.value()[QLatin1String(key)].isDouble(), qPrintable(label));
                const Bytes got = plan->poolSize(problem, 0);
                const Bytes expected = it.value()[QLatin1String(key)].toInteger();
                QVERIFY2(got == expected, qPrintable(QString("%1: %2 instead of %3").arg(label).arg(got).arg(expected)));
                ++figures;
            }
        }
    }

    QJsonArray models_;

private Q_SLOTS:
    void initTestCase()
    {
        STOWAGE_NEEDS_SHARED();
        QFile file(test::sharedFile("models/reference.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        models_ = QJsonDocument::fromJson(file.readAll()).object()["models"].toArray();
        QVERIFY(models_.size() > 50);
    }

    void everyGraphOfEveryModel()
    {
        figures = 0;
        for (const QJsonValue& value : models_) {
            const QJsonObject model = value.toObject();
            for (const QString key : {"subgraphs", "graphs"})
                for (const QJsonValue& graph : model[key].toArray()) {
                    if (!graph["activations"].isArray() || graph["activations"].toArray().isEmpty()) continue;
                    compare(model["id"].toString() + ": " + graph["name"].toString(), graph["activations"].toArray(),
                            graph["arena"].toObject());
                    if (QTest::currentTestFailed()) return;
                }
        }
        qInfo("%d figures equal", figures);
        QVERIFY(figures > 700);
    }

    void everyFlatTimelineOfTfliteMicro()
    {
        figures = 0;
        for (const QJsonValue& value : models_) {
            const QJsonObject flat = value["tflm_flat"].toObject();
            if (flat.isEmpty()) continue;
            // Of a model with one graph the flat timeline is that graph's, and not repeated in the file.
            QJsonArray records = flat["records"].toArray();
            if (records.isEmpty()) records = value["subgraphs"][0]["activations"].toArray();
            QCOMPARE(records.size(), flat["n_records"].toInteger());
            compare(value["id"].toString() + ", flat", records, flat["arena"].toObject());
            if (QTest::currentTestFailed()) return;
        }
        qInfo("%d figures equal", figures);
        QVERIFY(figures > 400);
    }
};

QTEST_GUILESS_MAIN(TestPlannerReference)
#include "tst_planner_reference.moc"
