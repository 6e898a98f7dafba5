// Pictures on the command line, without a display.
#include "tests/cli/cli_process.h"
#include "tests/support/paths.h"

#include <QHash>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

using namespace stowage::test;

class CliRenderTest : public QObject {
    Q_OBJECT

private:
    Cli cli_;

    static QByteArray joined(const CliResult& result) { return result.out + result.err; }

private Q_SLOTS:
    void renderDrawsEveryView_data()
    {
        // The names are those that `render` itself offers: a view that is new is drawn here, too.
        QTest::addColumn<QString>("view");
        const QString help = QString::fromUtf8(cli_({"render", "--help"}).out);
        const QString offered = QRegularExpression(QStringLiteral("--view [^{]*\\{([^}]*)\\}")).match(help).captured(1);
        QVERIFY2(offered.contains("memory-map"), qPrintable(help));
        for (const QString& view : offered.split(u',')) QTest::newRow(qPrintable(view)) << view;
    }
    void renderDrawsEveryView()
    {
        QFETCH(QString, view);
        // What has no constants to fold, no loop, no pipes and no stages is no input for the views of these.
        static const QHash<QString, QStringList> inputs{
            {"pipes", {"flash_attention_vector.mlir", "--planner", "hivm"}},
            {"fold", {"mlp_packed_weights.json"}},
            {"loops", {"lstm_loop.json"}},
            {"regression", {"suites/sizes.suite.json"}},
        };
        QStringList input = inputs.value(view, {"mobilenet_v1_025.json"});
        input.front() = Cli::sample(qPrintable(input.front()));
        if (view == u"stages" || view == u"pipeline") {
            const QString stages = cli_.path("stages.json");
            const auto split = cli_({"pipeline", "split", input.front(), "--stages", "2", "-o", stages});
            QVERIFY2(split.status == 0, joined(split));
            input = {stages};
        }
        const QString file = cli_.path(view + ".png");
        const auto result = cli_(QStringList{"render"} + input + QStringList{"--view", view, "--size", "800x500", "-o", file});
        QVERIFY2(result.status == 0, joined(result));
        const QImage image(file);
        QCOMPARE(image.size(), QSize(800, 500));
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); y += 5)
            for (int x = 0; x < image.width(); x += 5) colours.insert(image.pixel(x, y));
        QVERIFY2(colours.size() > 8, "a picture of one colour shows nothing");
    }

    /// The allocation graph of a network does not fit a screen: unless a size is asked for, the picture is as large as names
    /// need.
    void graphsGrowUntilTheyCanBeRead()
    {
        const auto words = [&](const QStringList& more, QSize& size) {
            const QString file = cli_.path("grown.svg");
            const auto result = cli_(QStringList{"render", Cli::sample("unet_training.json"), "--view", "allocation", "--planner",
                                                 "nnc-size-first", "-o", file} +
                                     more);
            if (result.status != 0) return -1;
            QXmlStreamReader xml(cli_.contents("grown.svg"));
            int names = 0;
            while (!xml.atEnd()) {
                xml.readNext();
                if (xml.isStartElement() && xml.name() == u"svg") {
                    const auto box = xml.attributes().value("viewBox").toString().split(u' ');
                    size = {box.value(2).toInt(), box.value(3).toInt()};
                }
                names += xml.isCharacters() && xml.text().contains(u" B");
            }
            return names;
        };
        QSize asked, grown;
        const int few = words({"--size", "1500x900"}, asked), many = words({}, grown);
        QCOMPARE(asked, QSize(1500, 900));
        QVERIFY(grown.width() > 1600 && grown.height() > 1000 && qint64(grown.width()) * grown.height() <= 60'500'000);
        QVERIFY2(few >= 0 && many > 100 && many > few, qPrintable(QString("%1 %2").arg(few).arg(many)));
    }

    /// The figures that the specification of constant folding publishes for its model of two layers.
    void renderShowsWhatFoldingSaves()
    {
        for (const QString& theme : {QStringLiteral("light"), QStringLiteral("dark")}) {
            const QString name = "fold-" + theme + ".svg";
            const auto result = cli_({"render", Cli::sample("mlp_packed_weights.json"), "--view", "fold", "--theme", theme,
                                      "--size", "1600x1000", "-o", cli_.path(name)});
            QVERIFY2(result.status == 0, joined(result));
            const QString text = QString::fromUtf8(cli_.contents(name));
            for (const char* figure : {"3,145,728 B", "1,577,984 B", "1,376,256 B", "524,288 B", "saves 2 ops"})
                QVERIFY2(text.contains(QLatin1String(figure)), figure);
        }
    }

    /// The size in the title is the one of the arena before; without sharing the plan of the MLIR module takes 1,441,792 bytes.
    void theTitleOfAFoldIsTheArenaBefore()
    {
#ifndef STOWAGE_MLIR
        QSKIP("built without MLIR");
#endif
        const auto result =
            cli_({"render", Cli::sample("mlp_packed_weights.mlir"), "--view", "fold", "-o", cli_.path("title.svg")});
        QVERIFY2(result.status == 0, joined(result));
        const QString text = QString::fromUtf8(cli_.contents("title.svg"));
        QVERIFY(text.count(QStringLiteral("1,376,256 B")) >= 2);
        QVERIFY(!text.contains(QStringLiteral("1,441,792")));
    }

    /// Every SVG is well-formed, as large as asked for, and says what the picture is about.
    void renderWritesSvgThatCanBeRead_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("heatmap") << "heatmap" << QStringList{"Occupancy", "reuse, most", "Pools", "Fragmentation", "100 %"};
        QTest::newRow("usage") << "usage" << QStringList{"peak", "bound", "largest hole", "step [first, end)"};
        QTest::newRow("interference") << "interference" << QStringList{"frames", "conflicts", "prove the bound"};
        QTest::newRow("allocation") << "allocation" << QStringList{"source", "sink", "frames", "16,384 B"};
        QTest::newRow("loops") << "loops"
                               << QStringList{"Unrolled body", "iteration 0", "h_next", "Iteration 0", "bytes an iteration"};
    }
    void renderWritesSvgThatCanBeRead()
    {
        QFETCH(QString, view);
        QFETCH(QStringList, words);
        const auto result =
            cli_({"render", Cli::sample("lstm_loop.json"), "--view", view, "--size", "900x640", "-o", cli_.path(view + ".svg")});
        QVERIFY2(result.status == 0, joined(result));
        QXmlStreamReader xml(cli_.contents(view + ".svg"));
        QString text;
        int shapes = 0;
        QString box;
        while (!xml.atEnd()) {
            xml.readNext();
            if (xml.isCharacters()) text += xml.text();
            if (!xml.isStartElement()) continue;
            if (xml.name() == u"svg") box = xml.attributes().value("viewBox").toString();
            shapes += xml.name() == u"rect" || xml.name() == u"path" || xml.name() == u"polyline" || xml.name() == u"polygon";
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(box, QString("0 0 900 640"));
        QVERIFY2(shapes > 40, "bins and curves are shapes, not one image");
        for (const QString& word : words) QVERIFY2(text.contains(word), qPrintable(word));
        const auto pdf = cli_({"render", Cli::sample("lstm_loop.json"), "--view", view, "-o", cli_.path(view + ".pdf")});
        QCOMPARE(pdf.status, 0);
        QVERIFY(cli_.contents(view + ".pdf").startsWith("%PDF"));
    }

    /// Names come from files, and a browser opens the picture: they are text in it, and end no element and begin none.
    void namesAreNoMarkupInASvg()
    {
        const QByteArray evil = R"(</title></text><script>alert(1)</script>&\u001b\u0001\ufffe)";
        const QString file =
            cli_.file("evil.json", R"({"format": "stowage.problem/1", "name": ")" + evil + R"(", "pools": [{"name": ")" + evil +
                                       R"("}], "buffers": [{"name": ")" + evil +
                                       R"(", "size": 4, "live": [[0, 2]]}, {"name": "b", "size": 4, "live": [[1, 3]]}]})");
        for (const QString& view : {QString("memory-map"), QString("liveness"), QString("interference")}) {
            const auto result = cli_({"render", file, "--view", view, "--planner", "naive", "-o", cli_.path("evil.svg")});
            QVERIFY2(result.status == 0, result.err);
            QXmlStreamReader xml(cli_.contents("evil.svg"));
            QString title;
            while (!xml.atEnd()) {
                xml.readNext();
                if (!xml.isStartElement()) continue;
                QVERIFY(xml.name() != u"script");
                if (xml.name() == u"title") title = xml.readElementText();
            }
            QVERIFY2(!xml.hasError(), qPrintable(view + ": " + xml.errorString()));
            QCOMPARE(title, QStringLiteral("</title></text><script>alert(1)</script>&\\x1b\\x01\\ufffe"));
        }
    }

    void graphsAndLoopsTakeWhatTheyAreAsked()
    {
        const QString sample = Cli::sample("lstm_loop.json");
        const auto drawn = [&](const QStringList& arguments, const QString& file) {
            const auto result =
                cli_(QStringList{"render", sample, "--size", "1200x800", "--planner", "nnc", "-o", cli_.path(file)} + arguments);
            return result.status;
        };
        QCOMPARE(drawn({"--view", "loops", "--loop", "lstm", "--iteration", "15"}, "last.svg"), 0);
        QVERIFY(cli_.contents("last.svg").contains("Iteration 15"));
        QCOMPARE(drawn({"--view", "loops", "--iteration", "16"}, "none.svg"), 2); // of 16, from 0
        QCOMPARE(drawn({"--view", "loops", "--loop", "gru"}, "none.svg"), 2);
        QCOMPARE(drawn({"--view", "interference", "--around", "keyword", "--hops", "1"}, "near.svg"), 0);
        QVERIFY(cli_.contents("near.svg").contains("scores") &&
                !cli_.contents("near.svg").contains(">frames<")); // live with the one, long gone before
        QCOMPARE(drawn({"--view", "interference", "--around", "nobody"}, "none.svg"), 2);
        QCOMPARE(cli_({"render", Cli::sample("resnet18.json"), "--view", "loops", "-o", cli_.path("none.svg")}).status,
                 2); // it has none
        cli_.file("list.csv", "id,lower,upper,size\na,0,3,64\nb,1,4,32\n");
        QCOMPARE(cli_({"render", cli_.path("list.csv"), "--view", "graph", "-o", cli_.path("none.svg")}).status, 2); // no ops
        QCOMPARE(cli_({"render", cli_.path("list.csv"), "--view", "allocation", "-o", cli_.path("list.svg")}).status, 0);
    }

    /// A kernel's pipes; a model without pipes is told so.
    void pipesAreDrawnOfKernelsOnly()
    {
        const QString kernel = Cli::sample("flash_attention_vector.mlir");
        const auto result =
            cli_({"render", kernel, "--planner", "hivm", "--view", "pipes", "--size", "1400x800", "-o", cli_.path("pipes.svg")});
        QVERIFY2(result.status == 0, joined(result));
        QXmlStreamReader xml(cli_.contents("pipes.svg"));
        QString text;
        while (!xml.atEnd()) {
            xml.readNext();
            if (xml.isCharacters()) text += xml.text();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        for (const char* word : {"MTE2", "MTE3", "breaks a double buffer", "simulated time", "%pv"})
            QVERIFY2(text.contains(QLatin1String(word)), word);
        QCOMPARE(cli_({"render", kernel, "--planner", "hivm", "--view", "pipes", "-o", cli_.path("pipes.pdf")}).status, 0);
        QVERIFY(cli_.contents("pipes.pdf").startsWith("%PDF"));
        const auto none = cli_({"render", Cli::sample("mobilenet_v1_025.json"), "--view", "pipes", "-o", cli_.path("none.svg")});
        QCOMPARE(none.status, 2);
        QVERIFY2(none.err.contains("which pipe it runs on"), joined(none));
    }

    void compareDrawsThePlannersThatAreNamed()
    {
        const QString sample = Cli::sample("resnet18.json");
        const auto result = cli_({"render", sample, "--view", "compare", "--planners", "greedy-by-size,naive", "--size",
                                  "1200x800", "-o", cli_.path("two.svg")});
        QVERIFY2(result.status == 0, joined(result));
        QXmlStreamReader xml(cli_.contents("two.svg"));
        QString text;
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::Characters) text += xml.text().toString() + QLatin1Char('\n');
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        for (const char* word : {"greedy-by-size", "naive", "Difference", "naive against greedy-by-size", "2 runs", "best"})
            QVERIFY2(text.contains(QLatin1String(word)), word);
        QVERIFY(!text.contains("best-fit"));
        // Planners for a view of one plan, and a planner that is none, are errors with a remedy.
        QCOMPARE(cli_({"render", sample, "--view", "usage", "--planners", "naive", "-o", cli_.path("no.png")}).status, 2);
        QCOMPARE(cli_({"render", sample, "--view", "compare", "--planners", "nobody", "-o", cli_.path("no.png")}).status, 2);
    }

    /// The exact search has no limit of its own; a comparison gives it one, as `compare` does.
    void aComparisonEndsOnEveryInput()
    {
        QByteArray problem = "id,lower,upper,size\n";
        std::uint32_t state = 1;
        const auto next = [&](std::uint32_t below) { return (state = state * 1664525U + 1013904223U) / 65536U % below; };
        for (int i = 0; i < 8000; ++i) {
            const auto begin = next(2000);
            problem += QByteArray::number(i) + ',' + QByteArray::number(begin) + ',' + QByteArray::number(begin + 1 + next(300)) +
                       ',' + QByteArray::number(1 + next(5000)) + '\n';
        }
        // Seconds of work, which take longer on a machine that is busy with other things.
        QProcess process;
        process.start(Cli::program(), {"render", cli_.file("hard.csv", problem), "--view", "compare", "--planners",
                                       "greedy-by-size,exact", "-o", cli_.path("hard.svg")});
        QVERIFY(process.waitForFinished(240'000));
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(cli_.contents("hard.svg").contains(">exact<"));
    }

    /// The map after a step of the search: at the begin nothing is placed, at the end all is, and what is no step is refused.
    void aReplayIsDrawnAtAStep()
    {
        const auto drawn = [&](const QStringList& step, const char* file) {
            return cli_(QStringList{"render", Cli::sample("lstm_loop.json"), "--view", "replay", "--planner", "greedy-by-size",
                                    "-o", cli_.path(file)} +
                        step);
        };
        const auto rectangles = [&](const char* file) {
            return cli_.contents(file).count("<rect") + cli_.contents(file).count("<path");
        };
        for (const auto& [step, file] :
             {std::pair{"step=begin", "begin.svg"}, {"step=3", "three.svg"}, {"step=end", "end.svg"}}) {
            const auto result = drawn({"--set", step}, file);
            QVERIFY2(result.status == 0, joined(result));
        }
        QVERIFY(cli_.contents("begin.svg").contains("nothing is placed yet"));
        QVERIFY(cli_.contents("three.svg").contains("step 3 of "));
        QVERIFY(rectangles("begin.svg") < rectangles("three.svg") && rectangles("three.svg") < rectangles("end.svg"));
        QCOMPARE(drawn({"--set", "step=soon"}, "no.svg").status, 2);
    }

    void theMemoryOfTheHeatmapIsChosenByName()
    {
        const QString sample = Cli::sample("microcontroller_two_memories.json");
        const auto heat = [&](const QString& memory, const QString& file) {
            return cli_({"render", sample, "--view", "heatmap", "--memory", memory, "--size", "800x500", "-o", cli_.path(file)});
        };
        QCOMPARE(heat("dtcm", "dtcm.svg").status, 0);
        QCOMPARE(heat("sram", "sram.svg").status, 0);
        QVERIFY(cli_.contents("dtcm.svg") != cli_.contents("sram.svg"));
        const auto wrong = heat("dtcn", "wrong.svg");
        QCOMPARE(wrong.status, 2);
        QVERIFY(wrong.err.contains("dtcm"));
    }

    /// A pool or a colouring that the run does not have is refused, with those that it has; values that no list names are taken.
    void valuesThatTheRunDoesNotHaveAreRefused()
    {
        const QString memories = Cli::sample("microcontroller_two_memories.json");
        const auto drawn = [&](const QString& model, const QString& view, const QString& option, const QString& file) {
            QStringList words{"render", model, "--view", view, "--size", "800x500", "--set", option, "-o", cli_.path(file)};
            if (view == u"compare") words << QStringList{"--planners", "greedy-by-size,naive"};
            return cli_(words);
        };
        for (const char* view : {"memory-map", "usage", "heatmap", "compare"}) {
            const auto wrong = drawn(memories, view, "memory=dtcn", "wrong.svg");
            QVERIFY2(wrong.status == 2 && wrong.err.contains("dtcm"), joined(wrong));
            const auto right = drawn(memories, view, "memory=dtcm", "right.svg");
            QVERIFY2(right.status == 0, joined(right));
        }
        for (const char* all : {"memory=all pools", "memory=all memories"}) {
            const auto pools = drawn(memories, "usage", all, "all.svg");
            QVERIFY2(pools.status == 0, joined(pools));
        }
        // No program: no op kinds and no operators. One pool: its name is known.
        const QString list = cli_.file("plain.csv", "id,lower,upper,size\na,0,3,64\nb,1,4,32\n");
        for (const char* option : {"colour=operator", "colour=op kind", "memory=dtcm"}) {
            const auto wrong = drawn(list, "memory-map", option, "wrong.svg");
            QVERIFY2(wrong.status == 2 && wrong.err.contains("lifetime"), joined(wrong));
        }
        QCOMPARE(drawn(list, "memory-map", "colour=lifetime", "right.svg").status, 0);
        QCOMPARE(drawn(list, "memory-map", "memory=all pools", "right.svg").status, 0);
        // Distances that the bar does not list.
        QCOMPARE(drawn(memories, "graph", "hops=3", "right.svg").status, 0);
        // What is set by name goes before the default of --colour-by.
        QCOMPARE(drawn(memories, "memory-map", "colour=op kind", "kinds.svg").status, 0);
        QCOMPARE(drawn(memories, "memory-map", "colour=size", "sizes.svg").status, 0);
        QVERIFY(cli_.contents("kinds.svg") != cli_.contents("sizes.svg"));
    }

    void renderWritesVectors()
    {
        const QString sample = Cli::sample("mobilenet_v1_025.json");
        QCOMPARE(cli_({"render", sample, "--view", "memory-map", "-o", cli_.path("map.svg")}).status, 0);
        QVERIFY(cli_.contents("map.svg").contains("<svg"));
        QCOMPARE(cli_({"render", sample, "--view", "memory-map", "-o", cli_.path("map.pdf")}).status, 0);
        QVERIFY(cli_.contents("map.pdf").startsWith("%PDF"));
        QCOMPARE(cli_({"render", sample, "--view", "memory-map", "-o", cli_.path("map.bmpx")}).status, 2);
        QCOMPARE(cli_({"render", sample, "--view", "memory-map", "--size", "9x", "-o", cli_.path("map.png")}).status, 2);
    }
};

QTEST_GUILESS_MAIN(CliRenderTest)
#include "tst_cli_render.moc"
