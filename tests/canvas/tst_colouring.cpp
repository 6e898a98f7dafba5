// What colours mean: categories, ordered classes, room to grow.
#include "app/canvas/axis/colouring.h"
#include "tests/support/network_builder.h"
#include "tests/support/real_run.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <numeric>

using namespace stowage;

class TestColouring : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyBufferHasAClassAndTheLegendCountsThem()
    {
        const auto run = test::wakeWordRun();
        for (const ColourBy by : allColourings) {
            const Colouring c = colouring(*run, by);
            QCOMPARE(c.of.size(), run->problem().buffers.size());
            std::vector<std::size_t> counted(c.classes.size(), 0);
            for (const std::uint8_t of : c.of) ++counted.at(of);
            for (std::size_t i = 0; i < counted.size(); ++i) QCOMPARE(c.classes[i].buffers, counted[i]);
            QVERIFY(c.classes.size() <= colourClasses);
            QCOMPARE(colourByFrom(toText(by)), std::optional(by));
            if (ordered(by)) QCOMPARE(c.classes.size(), orderedClasses);
        }
        QVERIFY(!colourByFrom("nonsense"));
        QCOMPARE(defaultColouring(*run), ColourBy::opKind);
    }

    void theHeaviestKindComesFirstAndTheRestIsOther()
    {
        test::SampleOptions options;
        options.buffers = 2000;
        options.steps = 400;
        const auto run = test::sampleRun(options);
        const Categories found = categories(*run, ColourBy::opKind);
        QVERIFY(found.names.size() > colourClasses);
        std::vector<double> weight(found.names.size(), 0);
        for (std::size_t i = 0; i < found.of.size(); ++i) {
            const Buffer& b = run->problem().buffers[i];
            weight[std::size_t(found.of[i])] += double(b.size) * double(b.live[0].length());
        }
        for (std::size_t i = 1; i < weight.size(); ++i) QVERIFY(weight[i - 1] >= weight[i]);
        const Colouring c = colouring(*run, ColourBy::opKind);
        QCOMPARE(c.classes.size(), colourClasses);
        QCOMPARE(c.classes.back().name, std::string("Other"));
        for (std::size_t i = 0; i < c.of.size(); ++i)
            QCOMPARE(std::size_t(c.of[i]), std::min<std::size_t>(std::size_t(found.of[i]), 9));
    }

    /// Of inputs and nine kinds that make buffers all have a colour of their own, unless a further kind needs a place.
    void aKindHasTheSameNameInAllPictures_data()
    {
        QTest::addColumn<int>("makers");
        QTest::addColumn<int>("others");
        for (const int makers : {1, 8, 9, 10, 12})
            for (const int others : {0, 1, 2, 10})
                QTest::addRow("%d kinds of buffers, %d others", makers + 1, others) << makers << others;
    }
    void aKindHasTheSameNameInAllPictures()
    {
        QFETCH(int, makers);
        QFETCH(int, others);
        test::NetworkBuilder network("kinds");
        TensorId last = network.input("x", {1, 64});
        for (int i = 0; i < makers; ++i)
            last = network.activation("make" + std::to_string(i), "make" + std::to_string(i), last, false);
        for (int i = 0; i < others; ++i)
            QVERIFY(network.op("tell" + std::to_string(i), "tell" + std::to_string(i), {last}, {}, {}, {}).empty());
        const auto run = test::runOfProgram(network.inference(last));
        QVERIFY(run);
        const Colouring map = colouring(*run, ColourBy::opKind);
        const OpKindClasses all = opKindClasses(*run, map);
        QCOMPARE(all.classes.size(), std::size_t(std::min(1 + makers + others, int(colourClasses))));
        QCOMPARE(all.classes.back().name == "Other", 1 + makers + others > int(colourClasses));
        for (std::size_t i = 0; i < map.classes.size(); ++i) QCOMPARE(all.classes[i].name, map.classes[i].name);
        for (const auto& [kind, of] : all.of) {
            const std::string& name = all.classes.at(of).name;
            QVERIFY2(name == kind || name == "Other", qPrintable(QString::fromStdString(kind + " in " + name)));
        }
    }

    void buffersOfASnapshotAreTheirLinesOwn()
    {
        QCOMPARE(sourceOf("forward model.py:12 #381"), std::string_view("forward model.py:12"));
        for (const char* name : {"block #3", "forward model.py:12", "a:b #", "a:b #x", "conv1", "", " #7"})
            QVERIFY2(sourceOf(name).empty(), name);
        auto run = *test::wakeWordRun();
        QVERIFY(!hasColouring(run, ColourBy::source));
        auto lowering = *run.lowering;
        for (std::size_t i = 0; i < lowering.problem.buffers.size(); ++i)
            lowering.problem.buffers[i].name = i == 0 ? "block #0" : "f a.py:" + std::to_string(i % 3) + " #" + std::to_string(i);
        run.lowering = std::make_shared<const Lowering>(std::move(lowering));
        QVERIFY(hasColouring(run, ColourBy::source));
        const Categories found = categories(run, ColourBy::source);
        QCOMPARE(found.names.size(), std::size_t(4)); // three lines, and what has none
        QCOMPARE(found.names[std::size_t(found.of[0])], std::string(unknownSource));
        QCOMPARE(found.of[1], found.of[4]);
        QVERIFY(found.of[1] != found.of[2]);
    }

    void inputsAreAKindOfTheirOwn()
    {
        const auto run = test::wakeWordRun();
        const Categories found = categories(*run, ColourBy::opKind);
        QCOMPARE(found.names[std::size_t(found.of[0])], std::string("Input"));
        QCOMPARE(found.names[std::size_t(found.of[11])], std::string("Read variable"));
    }

    void orderedClassesGrowWithTheMeasure()
    {
        const auto run = test::wakeWordRun();
        for (const ColourBy by : {ColourBy::size, ColourBy::lifetime}) {
            const Colouring c = colouring(*run, by);
            for (std::size_t i = 0; i < c.of.size(); ++i)
                for (std::size_t k = 0; k < c.of.size(); ++k) {
                    const Buffer& a = run->problem().buffers[i];
                    const Buffer& b = run->problem().buffers[k];
                    const bool less = by == ColourBy::size ? a.size < b.size : a.live[0].length() < b.live[0].length();
                    if (less) QVERIFY(c.of[i] <= c.of[k]);
                }
        }
    }

    void roomToGrowEqualsBruteForce()
    {
        const auto seed = testSeed();
        for (int round = 0; round < 20; ++round) {
            test::SampleOptions options;
            options.seed = seed + std::uint64_t(round);
            options.buffers = 200;
            options.steps = 60;
            options.pools = 2;
            options.gaps = 0.3;
            const auto run = test::sampleRun(options);
            const std::vector<Bytes> room = growthRoom(*run);
            for (std::size_t i = 0; i < room.size(); ++i) {
                const Placement& p = run->plan.placements[i];
                const Bytes high = p.offset + run->problem().buffers[i].size;
                Bytes expected = run->report.pools[std::size_t(p.pool)].size - high;
                for (std::size_t k = 0; k < room.size(); ++k) {
                    const Placement& q = run->plan.placements[k];
                    if (k == i || q.pool != p.pool || q.offset < high) continue;
                    for (const Interval& a : run->problem().buffers[i].live)
                        for (const Interval& b : run->problem().buffers[k].live)
                            if (a.overlaps(b)) expected = std::min(expected, q.offset - high);
                }
                QCOMPARE(room[i], expected);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestColouring)
#include "tst_colouring.moc"
