// The Fold view in the real window: what it shows is what the command line says, and its file is the one that `fold -o` writes.
// Texts on which MLIR's parser crashes or never ends cost a card, not the window.
#include "app/desktop/views/fold_view.h"
#include "app/desktop/widgets/error_card.h"
#include "tests/desktop/desk.h"
#include "tests/desktop/painted_texts.h"
#include "tests/support/drawn_texts.h"
#include "tests/support/written_file.h"

#include <QFile>
#include <QLayout>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <variant>
#include <vector>

using namespace stowage;
using test::Desk;

namespace {

QString samplePath(const char* name)
{
    return QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/") + QLatin1String(name);
}

/// Opens a file and shows the view, with its picture.
FoldView* fold(Desk& desk, const QString& path)
{
    desk.window->openFiles({path});
    if (!QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 60'000)) return nullptr;
    auto* view = desk.show<FoldView>("fold");
    const bool there = view && QTest::qWaitFor([&] { return view->canvas()->scene() != nullptr; }, 60'000);
    return there ? view : nullptr;
}

/// Sets an option and waits for the picture of it.
bool choose(FoldView& view, const char* id, const char* value)
{
    view.canvas()->setOption(QString::fromLatin1(id), QString::fromLatin1(value));
    return QTest::qWaitFor(
        [&] { return view.canvas()->ready() && view.foldPicture().sheet()->asked == view.foldPicture().asked(); }, 60'000);
}

} // namespace

class FoldViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    /// The options come with the picture, later than the view: in a narrow window the bar still has room for each.
    void theBarIsWholeInANarrowWindow()
    {
        Desk desk;
        desk.window->resize(1100, 700);
        FoldView* view = fold(desk, samplePath("mlp_packed_weights.json"));
        QVERIFY(view && view->bar() && view->bar()->isVisible());
        QTRY_VERIFY(view->bar()->layout()->minimumSize().width() <= view->bar()->width());
        QTRY_VERIFY(std::ranges::all_of(view->bar()->findChildren<QPushButton*>(), [](const QPushButton* button) {
            return !button->isVisible() || button->width() >= button->minimumSizeHint().width();
        }));
    }

    /// In any window each op and each folded tensor has its name, each name is another one, no number is cut, and the thresholds
    /// that have a number are evenly many apart.
    void everyBoxHasItsName_data()
    {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1100, 700), QSize(1280, 800), QSize(1440, 900), QSize(1600, 1000), QSize(2560, 1440)})
            QTest::addRow("%dx%d", size.width(), size.height()) << size;
    }
    void everyBoxHasItsName()
    {
        QFETCH(QSize, size);
        Desk desk;
        desk.window->resize(size);
        FoldView* view = fold(desk, samplePath("mlp_packed_weights.json"));
        QVERIFY(view && QTest::qWaitFor([&] { return desk.idle() && view->canvas()->settled(); }, 60'000));
        const FoldColumns& columns = view->foldPicture().sheet()->columns;
        std::ptrdiff_t ops = 0, kept = 0;
        for (const FoldColumn* column : {&columns.before, &columns.once, &columns.after})
            for (const FoldNode& node : column->nodes) ++(node.op == none ? kept : ops);
        QVERIFY(ops >= 20 && kept == 4);
        TextShaper shaper;
        DrawList list(shaper, 1);
        view->canvas()->picture().paint(list, BodyMode::vector);
        std::ptrdiff_t named = 0, numbered = 0;
        std::multiset<QString> names;
        std::vector<double> thresholds, ends;
        bool inGraphs = false, graphsDone = false;
        for (const DrawCommand& command : list.commands()) {
            if (std::holds_alternative<draw::Clip>(command)) inGraphs = !graphsDone;
            if (std::holds_alternative<draw::Unclip>(command)) inGraphs = false, graphsDone = true;
            const auto* text = std::get_if<draw::Text>(&command);
            if (!text) continue;
            QVERIFY2(!test::cutsNumber(text->text) && !text->text.contains(QStringLiteral("×…")), qPrintable(text->text));
            if (inGraphs && text->face == Face::labelStrong && !text->text.isEmpty()) {
                ++named;
                names.insert(text->text);
            }
            numbered += inGraphs && text->face == Face::number && text->text.startsWith(QStringLiteral("id "));
            if (text->face != Face::tick && text->face != Face::tickStrong) continue;
            const double wide = list.width(text->face, text->text), left = text->at.x() - wide / 2; // in the middle of its mark
            if (!ends.empty()) QVERIFY2(left >= ends.back() + 5, qPrintable(text->text));
            ends.push_back(left + wide);
            thresholds.push_back(text->text.toDouble());
        }
        QCOMPARE(named, ops);
        QCOMPARE(numbered, kept);
        for (const QString& name : names) QVERIFY2(names.count(name) <= 3, qPrintable(name)); // before, once, after
        QVERIFY(thresholds.size() >= 3);
        for (std::size_t i = 2; i < thresholds.size(); ++i)
            QCOMPARE(thresholds[i] / thresholds[i - 1], thresholds[1] / thresholds[0]);
    }

    /// More rows than can be read at once are scrolled: at some place each op has its name, and no number is cut there.
    void rowsThatHaveNoRoomAreScrolled()
    {
        constexpr int layers = 40;
        QString tensors = QStringLiteral(R"({"name": "x", "kind": "input", "dtype": "f32", "shape": [64]})"), ops;
        QString last = QStringLiteral("x");
        for (int i = 0; i < layers; ++i) {
            const QString name = QString(QChar(u'a' + i / 26)) + QChar(u'a' + i % 26);
            tensors +=
                QStringLiteral(R"(, {"name": "w %1", "kind": "constant", "available": "run-time", "dtype": "f32", "shape": [64]},
                {"name": "packed %1", "dtype": "f32", "shape": [64]}, {"name": "h %1", "dtype": "f32", "shape": [64]})")
                    .arg(name);
            ops += QStringLiteral(R"(%1{"name": "pack %2", "kind": "pack", "inputs": ["w %2"], "outputs": ["packed %2"]},
                {"name": "add %2", "kind": "add", "inputs": ["%3", "packed %2"], "outputs": ["h %2"]})")
                       .arg(i ? QStringLiteral(", ") : QString(), name, last);
            last = QStringLiteral("h ") + name;
        }
        const QTemporaryDir folder;
        const QString program =
            QStringLiteral(R"({"format": "stowage.program/1", "name": "layers", "entry": "main", "functions": [{"name":
                "main", "inputs": ["x"], "outputs": ["%1"], "tensors": [%2], "ops": [%3]}]})")
                .arg(last, tensors, ops);
        const QString path = test::writtenFile(folder, QStringLiteral("layers.json"), program.toUtf8());
        Desk desk;
        desk.window->resize(1100, 700);
        FoldView* view = fold(desk, path);
        QVERIFY(view && QTest::qWaitFor([&] { return desk.idle() && view->canvas()->settled(); }, 60'000));
        Picture& picture = view->canvas()->picture();
        const auto scroll = [&] { return picture.parts().scrolls; };
        QCOMPARE(scroll().size(), std::size_t(1));
        QVERIFY(scroll().front().at <= 1);
        std::set<QString> named;
        TextShaper shaper;
        {
            DrawList list(shaper, 1);
            picture.paint(list, BodyMode::vector);
            const QStringList texts = test::textsOf(list);
            QCOMPARE(texts.filter(QRegularExpression(QStringLiteral("^\\+[0-9]+ rows$"))).size(), qsizetype(1));
        }
        for (double y = 0; y < scroll().front().overhang() + 100; y += 100) {
            picture.scrollTo(0, y);
            QVERIFY(std::abs(scroll().front().at - std::min(y, scroll().front().overhang())) <= 1);
            DrawList list(shaper, 1);
            picture.paint(list, BodyMode::vector);
            for (const test::PaintedText& text : test::paintedTexts(list, view->canvas()->size(), Qt::white, scroll())) {
                QVERIFY2(!test::cutsNumber(text.text), qPrintable(text.text));
                if (!text.shown.isEmpty() && (text.text.startsWith(u"pack ") || text.text.startsWith(u"add ")))
                    named.insert(text.text);
            }
        }
        QCOMPARE(named.size(), std::size_t(2 * layers));
        // A size of which the rows have room, and all are there again.
        desk.window->resize(1100, 2600);
        QTRY_VERIFY(scroll().empty());
    }

    /// The figures of the specification's two-layer MLP, arenas by the planner of the run that is shown.
    void arenasAreThoseOfTheRunsPlanner()
    {
        Desk desk;
        FoldView* view = fold(desk, samplePath("mlp_packed_weights.json"));
        QVERIFY(view);
        const FoldSheet& sheet = *view->foldPicture().sheet();
        QCOMPARE(sheet.planner, desk.workspace().run()->plan.planner);
        QVERIFY(sheet.arenaBefore && sheet.arenaAfter);
        QCOMPARE(sheet.arenaBefore->size, Bytes(1'376'256));
        QCOMPARE(sheet.arenaAfter->size, Bytes(524'288));
        QCOMPARE(sheet.split().costs.peakBefore, sheet.arenaBefore->size);
        QCOMPARE(sheet.split().costs.peakAfter, sheet.arenaAfter->size);
        desk.workspace().plannings().planOnly("tflm-greedy");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().shown().runOf("tflm-greedy"), 30'000);
        desk.workspace().showRun(desk.workspace().shown().runOf("tflm-greedy")->id);
        QTRY_COMPARE_WITH_TIMEOUT(view->foldPicture().sheet() ? view->foldPicture().sheet()->planner : std::string(),
                                  std::string("tflm-greedy"), 30'000);
    }

    void rootsAreTheArgumentsAndTheirConstness()
    {
        Desk desk;
        FoldView* view = fold(desk, samplePath("mlp_packed_weights.mlir"));
        QVERIFY(view);
        const auto& roots = view->foldPicture().sheet()->roots;
        QVERIFY(roots.size() >= 5);
        const std::array expected{Bytes(32'768), Bytes(524'288), Bytes(4'096), Bytes(1'048'576),
                                  Bytes(1'024)}; // x, w1, b1, w2, b2
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QVERIFY(roots[i].argument);
            QCOMPARE(roots[i].bytes, expected[i]);
            QCOMPARE(roots[i].level, i == 0 ? ConstLevel::notConstant : ConstLevel::runTime);
        }
    }

    /// Half of 1,577,984 bytes takes three of the four tensors; w2 is packed in each run: it is read and written, 2 * 1,048,576.
    void aSmallCacheFoldsAgain()
    {
        Desk desk;
        FoldView* view = fold(desk, samplePath("mlp_packed_weights.json"));
        QVERIFY(view);
        const FoldSheet* sheet = view->foldPicture().sheet();
        QCOMPARE(sheet->runs.size(), std::size_t(4));
        QCOMPARE(sheet->runs[0].folding, sheet->split().costs.movedByFold);
        for (std::size_t run = 1; run < 4; ++run) QCOMPARE(sheet->runs[run].folding, Bytes(0));
        QCOMPARE(sheet->hits, (std::vector<std::int64_t>{3, 3, 3, 3}));
        QVERIFY(choose(*view, "cache", "1/2"));
        sheet = view->foldPicture().sheet();
        QCOMPARE(*sheet->cacheCapacity, Bytes(1'577'984 / 2));
        QCOMPARE(sheet->runs[0].folding, sheet->split().costs.movedByFold);
        for (std::size_t run = 1; run < 4; ++run) {
            QCOMPARE(sheet->runs[run].folding, Bytes(2 * 1'048'576));
            QCOMPARE(sheet->runs[run].what.foldedNow, std::vector<std::int64_t>{2});
        }
        QCOMPARE(sheet->hits, (std::vector<std::int64_t>{3, 3, 0, 3}));
        QCOMPARE(sheet->keeps, (std::vector<bool>{true, true, false, true}));
    }

    void theFileIsThatOfTheCommandLine_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("mode");
        QTest::newRow("program JSON") << "mlp_packed_weights.json"
                                      << "run-time";
        QTest::newRow("MLIR") << "fold_three_weights.mlir"
                              << "split";
    }
    void theFileIsThatOfTheCommandLine()
    {
        QFETCH(const QString, sample);
        QFETCH(const QString, mode);
        const QString path = samplePath(sample.toLatin1().constData());
        const QTemporaryDir folder;
        const QString expected = folder.filePath("expected"), file = folder.filePath("written");
        QProcess cli;
        cli.start(qEnvironmentVariable("STOWAGE_BIN", QCoreApplication::applicationDirPath() + "/../bin") + "/stowage-cli",
                  {"fold", path, "--mode", mode, "--threshold", "32", "-o", expected});
        QVERIFY(cli.waitForFinished(60'000) && cli.exitCode() == 0);
        Desk desk;
        FoldView* view = fold(desk, path);
        QVERIFY(view);
        QVERIFY(choose(*view, "mode", mode.toLatin1().constData()));
        desk.find<QSlider>("foldThreshold")->setValue(6); // 32
        QVERIFY(desk.find<QPushButton>("foldWrite")->isVisible());
        QSignalSpy written(&view->writer(), &FoldWriter::written);
        view->writeTo(file);
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), qsizetype(1), 60'000);
        QVERIFY(written.front()[1].toBool());
        QVERIFY(!test::contentsOf(file).isEmpty());
        QCOMPARE(test::contentsOf(file), test::contentsOf(expected));
    }

    void theFileOfTheModelIsReplacedOnlyAfterAQuestion()
    {
        const QTemporaryDir folder;
        const QString own = test::writtenFile(folder, "own.json", test::contentsOf(samplePath("mlp_packed_weights.json")));
        const QByteArray before = test::contentsOf(own);
        Desk desk;
        FoldView* view = fold(desk, own);
        QVERIFY(view);
        QSignalSpy written(&view->writer(), &FoldWriter::written), asked(&desk.workspace(), &Workspace::noticed);
        view->writeTo(own);
        QVERIFY(!view->writer().writing());
        QCOMPARE(asked.size(), qsizetype(1));
        const auto question = asked.front().front().value<Notice>();
        QVERIFY(question.asks() && question.choices.size() == 2);
        question.choices.back().take();
        QVERIFY(!view->writer().writing());
        QCOMPARE(test::contentsOf(own), before);
        question.choices.front().take();
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), qsizetype(1), 60'000);
        QVERIFY(test::contentsOf(own) != before);
    }

    /// While the question is open, another fold is written, or another model is shown: it goes, and its answer writes nothing.
    void aQuestionAboutAnotherFoldIsTakenBack()
    {
        const QTemporaryDir folder;
        const QString own = test::writtenFile(folder, "own.json", test::contentsOf(samplePath("mlp_packed_weights.json")));
        const QByteArray before = test::contentsOf(own);
        Desk desk;
        FoldView* view = fold(desk, own);
        QVERIFY(view);
        QSignalSpy written(&view->writer(), &FoldWriter::written), asked(&desk.workspace(), &Workspace::noticed);
        view->writeTo(own);
        QCOMPARE(asked.size(), qsizetype(1));
        const auto first = asked.front().front().value<Notice>();
        QVERIFY(first.asks() && desk.window->errorCard().isVisible());
        view->writeTo(folder.filePath("other.json"));
        QVERIFY(view->writer().writing() && !first.asks());
        QVERIFY(!desk.window->errorCard().isVisible());
        first.choices.front().take();
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), qsizetype(1), 60'000);
        QVERIFY(!view->writer().writing());

        asked.clear();
        view->writeTo(own);
        QVERIFY(!asked.isEmpty());
        const auto second = asked.back().front().value<Notice>();
        QVERIFY(second.asks());
        QVERIFY(desk.open("resnet18"));
        QVERIFY(!second.asks());
        second.choices.front().take();
        QVERIFY(!view->writer().writing());
        QCOMPARE(test::contentsOf(own), before);
    }

    /// With another threshold or mode the question goes, and its answer writes nothing.
    void aQuestionGoesWithTheOptionsThatItIsAbout()
    {
        const QTemporaryDir folder;
        const QString own = test::writtenFile(folder, "own.json", test::contentsOf(samplePath("mlp_packed_weights.json")));
        const QByteArray before = test::contentsOf(own);
        Desk desk;
        FoldView* view = fold(desk, own);
        QVERIFY(view);
        QSignalSpy asked(&desk.workspace(), &Workspace::noticed);
        const auto ask = [&] {
            asked.clear();
            view->writeTo(own);
            return asked.isEmpty() ? Notice() : asked.back().front().value<Notice>();
        };
        const auto taken = [&](const Notice& question) {
            const bool gone = !question.asks() && !desk.window->errorCard().isVisible();
            question.choices.front().take();
            return gone && !view->writer().writing() && test::contentsOf(own) == before;
        };
        const Notice first = ask();
        QVERIFY(first.asks() && desk.window->errorCard().isVisible());
        desk.find<QSlider>("foldThreshold")->setValue(6);
        QVERIFY(taken(first));
        const Notice second = ask();
        QVERIFY(second.asks());
        QVERIFY(choose(*view, "mode", "split"));
        QVERIFY(taken(second));
        // The capacity of the cache is not in the file.
        const Notice third = ask();
        QVERIFY(third.asks());
        QVERIFY(choose(*view, "cache", "1/2"));
        QVERIFY(third.asks() && desk.window->errorCard().isVisible());
    }

    void aQuestionGoesWithTheFunctionThatItIsAbout()
    {
        QByteArray functions;
        for (const char* name : {"main", "second"})
            functions += QByteArray(functions.isEmpty() ? "" : ", ") + "{'name': '" + name +
                         "', 'inputs': ['x'], 'outputs': ['y'], 'tensors': [{'name': 'x', 'kind': 'input', SIZE}, "
                         "{'name': 'w', 'kind': 'constant', 'available': 'run-time', SIZE}, {'name': 'packed', SIZE}, "
                         "{'name': 'y', 'kind': 'output', SIZE}], 'ops': ["
                         "{'name': 'pack', 'kind': 'pack', 'inputs': ['w'], 'outputs': ['packed']}, "
                         "{'name': 'add', 'kind': 'add', 'inputs': ['x', 'packed'], 'outputs': ['y']}]}";
        QByteArray program = "{'format': 'stowage.program/1', 'name': 'two', 'entry': 'main', 'functions': [" + functions + "]}";
        program.replace("SIZE", "'dtype': 'f32', 'shape': [64]").replace('\'', '"');
        const QTemporaryDir folder;
        const QString own = test::writtenFile(folder, "two.json", program);
        Desk desk;
        FoldView* view = fold(desk, own);
        QVERIFY(view);
        const int shown = desk.workspace().shownRun();
        PlanRequest request = desk.workspace().plannings().request("naive");
        request.function = "second";
        const auto run = desk.session.planNow(*desk.workspace().model(), request);
        QVERIFY(run);
        const int second = desk.session.addRun(request, *run);
        desk.workspace().showRun(shown);
        QSignalSpy asked(&desk.workspace(), &Workspace::noticed);
        view->writeTo(own);
        QCOMPARE(asked.size(), qsizetype(1));
        const auto question = asked.front().front().value<Notice>();
        QVERIFY(question.asks());
        desk.workspace().showRun(second);
        QCOMPARE(desk.workspace().run()->program->main().name, std::string("second"));
        QVERIFY(!question.asks() && !desk.window->errorCard().isVisible());
        question.choices.front().take();
        QVERIFY(!view->writer().writing());
        QCOMPARE(test::contentsOf(own), program);
    }

    void aFileThatCannotBeWrittenBecomesACard()
    {
        Desk desk;
        FoldView* view = fold(desk, samplePath("mlp_packed_weights.json"));
        QVERIFY(view);
        QSignalSpy written(&view->writer(), &FoldWriter::written);
        view->writeTo(QStringLiteral("/nowhere/folded.json"));
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), qsizetype(1), 60'000);
        QVERIFY(!written.front()[1].toBool());
        QTRY_VERIFY(desk.window->errorCard().isVisible());
        QVERIFY(desk.window->errorCard().notice().title.contains(QStringLiteral("folded.json")));
        QVERIFY(desk.find<QPushButton>("foldWrite")->isEnabled());
    }

    /// See tst_mlir_limits for the texts.
    void theWindowLivesThroughWhatTheParserDoesNot()
    {
        const QTemporaryDir folder;
        const auto make = [&](const char* name, const QByteArray& text) {
            return test::writtenFile(folder, QLatin1String(name), text);
        };
        QByteArray types("!t0 = tuple<i1, i1>\n");
        for (int i = 1; i < 60; ++i)
            types += "!t" + QByteArray::number(i) + " = tuple<!t" + QByteArray::number(i - 1) + ", !t" +
                     QByteArray::number(i - 1) + ">\n";
        const QString crashes = make("crashes.mlir", "#m = affine_map<(d0) -> (" + QByteArray(200'000, '-') +
                                                         "d0)>\nfunc.func @f() {\n  return\n}\n");
        const QString hangs = make("hangs.mlir", types + "func.func @f(%a: !t59) -> i1 {\n  return %a : i1\n}\n");
        Desk desk;
        FoldView* view = fold(desk, samplePath("fold_three_weights.mlir"));
        QVERIFY(view);
        const auto before = desk.workspace().run();
        desk.window->openFiles({crashes});
        ErrorCard& card = desk.window->errorCard();
        QTRY_VERIFY_WITH_TIMEOUT(card.isVisible(), 60'000);
        QVERIFY2(card.notice().title.contains(QStringLiteral("crashes.mlir")), qPrintable(card.notice().title));
        QCOMPARE(desk.workspace().run(), before);

        // It is given up by the user long before the limit; meanwhile the window does what it is asked.
        desk.window->openFiles({hangs});
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace().models().opening().empty(), 10'000);
        QVERIFY(choose(*view, "mode", "split"));
        QCOMPARE(view->foldPicture().sheet()->asked.options.mode, FoldMode::split);
        QVERIFY(!desk.workspace().models().opening().empty());
        desk.workspace().models().cancelOpening(desk.workspace().models().opening().begin()->first);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().models().opening().empty(), 10'000);
        QCOMPARE(desk.workspace().run(), before);
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(FoldViewTest)
#include "tst_fold_view.moc"
