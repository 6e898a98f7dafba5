// Two revisions tensor by tensor: what is matched, renamed, new and gone, and what explains the change of the peak.
#include "app/session/revision.h"
#include "app/session/session.h"
#include "tests/support/seed_shift.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>

using namespace stowage;

namespace {

/// name, first step, end, bytes
struct Row {
    const char* name;
    int begin, end;
    int bytes;
};

Revision plannedText(const QString& file, const QByteArray& text, const char* name)
{
    const Session session;
    const auto model = session.readText(file, text);
    if (!model) qFatal("%s", model.error().message.c_str());
    PlanRequest request;
    request.planner = "greedy-by-size";
    const auto run = session.planNow(*model, request);
    if (!run) qFatal("%s", run.error().message.c_str());
    return revisionOf(**run, name);
}

Revision planned(const std::vector<Row>& rows, const char* name = "model")
{
    QByteArray csv("id,lower,upper,size\n");
    for (const Row& row : rows)
        csv += QByteArray(row.name) + ',' + QByteArray::number(row.begin) + ',' + QByteArray::number(row.end) + ',' +
               QByteArray::number(row.bytes) + '\n';
    return plannedText(QStringLiteral("a.csv"), csv, name);
}

/// a and b begin at 0, where they may share; c lies above them at the step where all three are live.
Revision sharing(int bytesOfB)
{
    const QString text = QStringLiteral(R"({"format": "stowage.problem/1", "name": "p", "pools": [{"name": "arena"}], "buffers": [
            {"name": "a", "size": 10, "live": [[0, 2]], "may_share": ["b"]},
            {"name": "b", "size": %1, "live": [[1, 3]], "may_share": ["a"]}, {"name": "c", "size": 5, "live": [[1, 2]]}]})")
                             .arg(bytesOfB);
    return plannedText(QStringLiteral("p.json"), text.toUtf8(), "sharing");
}

QStringList names(const std::vector<RevisionPair>& pairs, const Revision& before, const Revision& after)
{
    QStringList list;
    for (const RevisionPair& pair : pairs) {
        const QString is = QString::fromStdString(after.tensors[pair.after].name);
        const QString was = QString::fromStdString(before.tensors[pair.before].name);
        list << (is == was ? is : was + QStringLiteral(">") + is);
    }
    return list;
}

} // namespace

class RevisionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// By hand: before, a and b are live at step 1 (30 bytes); after, b is 26 bytes and x lives there too, so 10 + 26 + 4 = 40.
    void theCausesAddUpToTheChangeOfThePeak()
    {
        const Revision before = planned({{"a", 0, 2, 10}, {"b", 1, 3, 20}, {"c", 2, 4, 10}});
        const Revision after = planned({{"a", 0, 2, 10}, {"x", 1, 2, 4}, {"b", 1, 3, 26}, {"c", 2, 4, 10}});
        const RevisionDifference found = difference(before, after);
        QCOMPARE(before.peak, std::optional<Bytes>(30));
        QCOMPARE(after.peak, std::optional<Bytes>(40));
        QCOMPARE(found.because, (std::vector<PeakCause>{{"b", 6}, {"x", 4}}));
        QCOMPARE(names(found.grown, before, after), QStringList({"b"}));
        QCOMPARE(names(found.matched, before, after).size(), 3);
        QCOMPARE(found.added.size(), std::size_t(1));
        QVERIFY(found.gone.empty() && found.renamed.empty());
        QCOMPARE(QString::fromStdString(peakSentence(before, after, found)),
                 QStringLiteral("The peak rises by 10 B, from 30 to 40 B: b +6 B, x +4 B."));
    }

    /// By hand: 10 bytes of a and b, and 5 of c; with 14 bytes, b has 4 more than a.
    void sharedBytesCountOnce()
    {
        const Revision before = sharing(10), after = sharing(14);
        QCOMPARE(before.size, Bytes(15));
        QCOMPARE(before.peak, std::optional<Bytes>(15));
        QCOMPARE(before.peakStep, std::int64_t(1));
        QCOMPARE(after.size, Bytes(19));
        QCOMPARE(after.peak, std::optional<Bytes>(19));
        QCOMPARE(difference(before, after).because, (std::vector<PeakCause>{{"b", 4}}));
        const Revision other = sharing(8); // within the 10 bytes of a
        QCOMPARE(other.peak, std::optional<Bytes>(15));
        QVERIFY(difference(before, other).because.empty());
    }

    void aTensorOfAnotherNameInTheSamePlaceIsRenamed()
    {
        const Revision before = planned({{"in", 0, 1, 8}, {"conv", 0, 2, 16}, {"out", 1, 3, 8}});
        const Revision after = planned({{"in", 0, 1, 8}, {"conv_v2", 0, 2, 16}, {"out", 1, 3, 8}, {"extra", 2, 3, 4}});
        const RevisionDifference found = difference(before, after);
        QCOMPARE(names(found.renamed, before, after), QStringList({"conv>conv_v2"}));
        QCOMPARE(found.added.size(), std::size_t(1));
        QVERIFY(found.gone.empty());
    }

    /// Another size is another tensor where nothing tells what made it.
    void anotherSizeIsNotRenamedWithoutAnOrigin()
    {
        const Revision before = planned({{"in", 0, 1, 8}, {"conv", 0, 2, 16}});
        const Revision after = planned({{"in", 0, 1, 8}, {"dense", 0, 2, 17}});
        const RevisionDifference found = difference(before, after);
        QVERIFY(found.renamed.empty());
        QCOMPARE(found.added.size(), std::size_t(1));
        QCOMPARE(found.gone.size(), std::size_t(1));
    }

    void everyTensorIsCountedOnce()
    {
        std::mt19937 random(20220815 + stowage::test::seedShift());
        for (int round = 0; round < 60; ++round) {
            const auto make = [&] {
                std::vector<Row> rows;
                static const char* const all[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
                for (const char* name : all)
                    if (random() % 3 != 0) {
                        const int begin = int(random() % 6);
                        rows.push_back({name, begin, begin + 1 + int(random() % 4), 1 + int(random() % 3) * 7});
                    }
                if (rows.empty()) rows.push_back({"z", 0, 1, 1});
                std::shuffle(rows.begin(), rows.end(), random);
                return rows;
            };
            const auto rowsBefore = make(), rowsAfter = make();
            const Revision before = planned(rowsBefore), after = planned(rowsAfter);
            const RevisionDifference found = difference(before, after);
            QCOMPARE(found.matched.size() + found.renamed.size() + found.added.size(), after.tensors.size());
            QCOMPARE(found.matched.size() + found.renamed.size() + found.gone.size(), before.tensors.size());
            const auto peak = [](const std::vector<Row>& rows) { // brute force
                Bytes most = 0;
                for (int step = 0; step < 12; ++step) {
                    Bytes live = 0;
                    for (const Row& row : rows) live += row.begin <= step && step < row.end ? row.bytes : 0;
                    most = std::max(most, live);
                }
                return most;
            };
            Bytes sum = 0;
            for (const PeakCause& cause : found.because) sum += cause.bytes;
            QCOMPARE(*before.peak, peak(rowsBefore));
            QCOMPARE(*after.peak, peak(rowsAfter));
            QCOMPARE(sum, *after.peak - *before.peak);
        }
    }

    void aPlanFileIsReadWithoutItsModel()
    {
        const auto read = revisionOfPlanFile(
            R"({"format": "stowage.plan/1", "problem": "m", "planner": "auto", "pools": [{"name": "sram", "size": 48}],
                "placements": [{"buffer": "a", "pool": "sram", "offset": 0, "size": 32},
                               {"buffer": "b", "pool": "sram", "offset": 32, "size": 8}]})",
            "folder/old.plan.json");
        QVERIFY(read);
        QCOMPARE(read->size, Bytes(48));
        QCOMPARE(read->name, std::string("old.plan.json"));
        QCOMPARE(read->tensors.size(), std::size_t(2));
        QVERIFY(!read->peak);
        QCOMPARE(read->tensors[1].offset, std::optional<Bytes>(32));
    }

    void whatIsNoPlanFileIsSaid_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("not JSON") << QByteArray("{\"format\": ");
        QTest::newRow("another format") << QByteArray(R"({"format": "stowage.problem/1"})");
        QTest::newRow("no placements") << QByteArray(R"({"format": "stowage.plan/1"})");
        QTest::newRow("a negative size") << QByteArray(
            R"({"format": "stowage.plan/1", "placements": [{"buffer": "a", "pool": "p", "offset": 0, "size": -4}]})");
        QTest::newRow("a size out of range") << QByteArray(
            R"({"format": "stowage.plan/1", "placements": [{"buffer": "a", "pool": "p", "offset": 0, "size": 9e18}]})");
    }
    void whatIsNoPlanFileIsSaid()
    {
        QFETCH(QByteArray, text);
        const auto read = revisionOfPlanFile(text.toStdString(), "x.json");
        QVERIFY(!read);
        QCOMPARE(read.error().where.file, std::string("x.json"));
        QVERIFY(!read.error().remedy.empty());
    }

    void theDocumentHasTheFieldsOfTheContract()
    {
        const Revision before = planned({{"a", 0, 2, 10}, {"b", 1, 3, 20}, {"old", 2, 4, 3}}, "v1");
        const Revision after = planned({{"a", 0, 2, 10}, {"b", 1, 3, 26}, {"new", 3, 5, 4}}, "v2");
        const auto json =
            QJsonDocument::fromJson(QByteArray::fromStdString(writeDifferenceJson(before, after, difference(before, after))))
                .object();
        QCOMPARE(json.value("format").toString(), QStringLiteral("stowage.difference/1"));
        for (const char* list : {"matched", "renamed", "new", "gone", "grown", "moved"})
            QVERIFY2(json.value(QLatin1String(list)).isArray(), list);
        const QJsonObject grown = json.value("grown").toArray().at(0).toObject();
        QCOMPARE(grown.value("tensor").toString(), QStringLiteral("b"));
        QCOMPARE(grown.value("before").toObject().value("size").toInt(), 20);
        QCOMPARE(grown.value("after").toObject().value("size").toInt(), 26);
        QVERIFY(json.value("new").toArray().at(0).toObject().value("before").isNull());
        QCOMPARE(json.value("gone").toArray().at(0).toObject().value("tensor").toString(), QStringLiteral("old"));
        const QJsonObject peak = json.value("peak").toObject();
        QCOMPARE(peak.value("before").toInt(), 30);
        QCOMPARE(peak.value("after").toInt(), 36);
        QCOMPARE(peak.value("because").toArray().at(0).toObject().value("bytes").toInt(), 6);
    }
};

QTEST_GUILESS_MAIN(RevisionTest)
#include "tst_revision.moc"
