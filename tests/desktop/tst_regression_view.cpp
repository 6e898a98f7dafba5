// The Regression view in the real window: a suite is opened, compared with its baseline, both maps are shown and opened, and rows
// are accepted.
#include "app/canvas/export/render_regression.h"
#include "app/canvas/pictures/scene_cache.h"
#include "app/desktop/views/regression_view.h"
#include "app/desktop/widgets/state_page.h"
#include "tests/desktop/desk.h"
#include "tests/support/sample_run.h"
#include "tests/support/written_file.h"

#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <initializer_list>
#include <utility>

using namespace stowage;
using test::Desk;

namespace {

const QByteArray small = "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n";
/// A program of one buffer.
const QByteArray program = R"({"format": "stowage.program/1", "name": "p", "entry": "main", "functions": [{"name": "main",)"
                           R"( "inputs": [], "outputs": [], "tensors": [{"name": "a", "bytes": 100}], "ops": [)"
                           R"({"name": "make", "kind": "make", "inputs": [], "outputs": ["a"]},)"
                           R"( {"name": "use", "kind": "use", "inputs": ["a"], "outputs": []}]}]})";
const QByteArray grown = "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,16\n";

/// A suite of two models, one of which has grown since its baseline was written.
class Nightly {
public:
    explicit Nightly(bool withBaseline = true)
    {
        put("a.csv", small);
        put("b.csv", small);
        put("nightly.suite.json",
            R"({"format": "stowage.suite/1", "name": "nightly", "defaults": {"planners": ["exact", "naive"]},)"
            R"( "rows": [{"model": "a.csv"}, {"model": "b.csv"}]})");
        if (!withBaseline) return;
        const Session session;
        const auto first = runRegression(session, suite());
        if (!first || !acceptRows(*first, {})) qFatal("the baseline cannot be written");
        put("a.csv", grown);
    }
    void put(const QString& name, const QByteArray& text) const { test::writtenFile(folder_, name, text); }
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    [[nodiscard]] QString suite() const { return path("nightly.suite.json"); }

private:
    QTemporaryDir folder_;
};

/// A regression of planned rows, each with its count of buffers, and with a baseline or without.
std::shared_ptr<const Regression> rowsOf(std::initializer_list<std::pair<std::size_t, bool>> rows)
{
    auto regression = std::make_shared<Regression>();
    for (const auto& [buffers, baseline] : rows) {
        test::SampleOptions options;
        options.buffers = buffers;
        options.program = false;
        RegressionRow row;
        row.result.key = std::to_string(regression->rows.size());
        row.current = test::sampleRun(options);
        if (baseline) row.baseline = test::sampleRun(options);
        regression->rows.push_back(std::move(row));
    }
    return regression;
}

PictureSource sourceOf(const std::shared_ptr<const Regression>& regression)
{
    auto subject = std::make_shared<RegressionSubject>();
    subject->regression = regression;
    PictureSource source;
    source.subject = std::move(subject);
    source.scenes = std::make_shared<SceneCache>();
    return source;
}

bool hasTab(Desk& desk)
{
    auto* tabs = desk.find<QTabBar>("viewTabs");
    for (int i = 0; i < tabs->count(); ++i)
        if (tabs->tabText(i) == QStringLiteral("Regression")) return tabs->isTabVisible(i);
    return false;
}

/// Opens the suite as a file, and waits for its rows.
RegressionView* open(Desk& desk, const Nightly& nightly)
{
    desk.window->openFiles({nightly.suite()});
    auto* view = desk.show<RegressionView>("regression");
    return view && QTest::qWaitFor([&] { return !view->desk().running() && view->canvas()->scene(); }, 20'000) ? view : nullptr;
}

} // namespace

class RegressionViewTest : public QObject {
    Q_OBJECT

private:
    test::OwnSettings settings_;

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void theTabComesWithASuite()
    {
        const Nightly nightly;
        Desk desk;
        QVERIFY(!hasTab(desk));
        RegressionView* view = open(desk, nightly);
        QVERIFY(view);
        QVERIFY(hasTab(desk));
        QVERIFY(view->isVisible());
        QVERIFY(desk.workspace().models().failures().empty()); // a suite is no model
        QCOMPARE(desk.workspace().modelId(), 0);
    }

    void rowsAreThoseOfTheCommandLineAndBothMapsAreThere()
    {
        const Nightly nightly;
        Desk desk;
        RegressionView* view = open(desk, nightly);
        QVERIFY(view);
        const Regression& all = *view->desk().regression();
        QCOMPARE(all.counts[std::size_t(RowVerdict::worse)], std::size_t(2)); // both planners of a.csv
        QCOMPARE(all.counts[std::size_t(RowVerdict::same)], std::size_t(2));
        RegressionPicture& picture = view->regressionPicture();
        QVERIFY(picture.row() && picture.row()->result.verdict == RowVerdict::worse);
        QVERIFY(picture.row()->current && picture.row()->baseline);
        QCOMPARE(picture.row()->baseline->report.totalSize(), picture.row()->result.baseline->size);

        // Every buffer of a map is met where it is painted, and its card tells of both plans.
        QString told;
        const QImage shown = view->canvas()->grab().toImage();
        bool left = false, right = false;
        for (double y = picture.mapsBox().top(); y < picture.mapsBox().bottom(); y += 4)
            for (double x = picture.mapsBox().left(); x < picture.mapsBox().right(); x += 4)
                if (const auto hit = picture.maps()->hit({x, y}); hit && hit->buffer == "c") {
                    (hit->side == RegressionMaps::before ? left : right) = true;
                    const QPointF inside = hit->box.topLeft() + QPointF(6, hit->box.height() / 2);
                    QVERIFY(shown.pixelColor(inside.toPoint()) != desk.look.theme().well);
                    told = picture.card(picture.hit({x, y}))->lines.front().value;
                }
        QVERIFY(left && right);
        QCOMPARE(told, QStringLiteral("10 B → 16 B"));
        QVERIFY(QFileInfo(nightly.path("nightly.history.jsonl")).size() > 0); // the view keeps it
        if (const QString to = qEnvironmentVariable("STOWAGE_SHOTS"); !to.isEmpty()) {
            QTest::qWait(200);
            desk.window->grab().save(to + "/regression.png");
        }
    }

    /// Four bytes more of 64 KiB: both sizes have one text.
    void aCardTellsAGrowthThatItsNumbersRoundAway()
    {
        const auto runOfSize = [](Bytes size) {
            Problem problem;
            problem.pools.push_back({.name = "arena"});
            Buffer buffer;
            buffer.name = "a";
            buffer.size = size;
            buffer.alignment = 1;
            buffer.live = {{0, 2}};
            problem.buffers.push_back(buffer);
            return test::runOf(std::move(problem));
        };
        const auto sizeLine = [&](Bytes before, Bytes now) {
            auto row = std::make_shared<RegressionRow>();
            row->baseline = runOfSize(before);
            row->current = runOfSize(now);
            SceneCache scenes;
            RegressionMaps maps(row, Theme::darkTheme(), RegressionColours::same, scenes);
            TextShaper shaper;
            maps.layOut(shaper, {0, 0, 600, 300}, 1, {.unit = NumberFormat::Unit::kibibytes, .hexAddresses = false});
            const auto card = maps.card("a");
            return card ? card->lines.front() : CardText::Line();
        };
        QCOMPARE(sizeLine(65536, 65540).value, QStringLiteral("64 KiB + 0.004 KiB"));
        QVERIFY(sizeLine(65536, 65540).strong);
        QCOMPARE(sizeLine(65536, 65532).value, QStringLiteral("64 KiB - 0.004 KiB"));
        QCOMPARE(sizeLine(65536, 131072).value, QStringLiteral("64 KiB → 128 KiB"));
        QCOMPARE(sizeLine(65536, 65536).value, QStringLiteral("64 KiB"));
        QVERIFY(!sizeLine(65536, 65536).strong);
    }

    /// Maps of many buffers are made in the scene, which the canvas makes on another thread; small ones at once.
    void largeMapsAreNotMadeOnTheWindowsThread()
    {
        const auto regression = rowsOf({{Picture::sceneAtOnce / 2 + 1, true}, {40, true}, {Picture::sceneAtOnce + 1, false}});
        const PictureSource source = sourceOf(regression);
        RegressionPicture picture;
        picture.setTheme(Theme::lightTheme());
        PictureJob job = picture.prepare(source);
        QVERIFY(job.work > Picture::sceneAtOnce); // both maps of the first row together
        picture.take(job.make({}));
        QVERIFY(picture.maps());
        QCOMPARE(picture.choose(regression->rows[1].result.key), PictureChange::paint);
        QVERIFY(picture.maps());
        QCOMPARE(picture.choose(regression->rows[2].result.key), PictureChange::scene);
        QVERIFY(!picture.maps()); // until the scene is there
        job = picture.prepare(source);
        QCOMPARE(job.work, Picture::sceneAtOnce + 1);
        picture.take(job.make({}));
        QCOMPARE(picture.row(), &regression->rows[2]);
        QVERIFY(picture.maps());
        // Other colours look at every buffer as well, and for these the scene is made anew.
        QCOMPARE(picture.choose(regression->rows[0].result.key), PictureChange::scene);
        QCOMPARE(picture.set(QStringLiteral("maps"), QStringLiteral("difference")), PictureChange::scene);
        job = picture.prepare(source);
        QVERIFY(job.work > Picture::sceneAtOnce);
        picture.take(job.make({}));
        QVERIFY(picture.maps());
        QCOMPARE(picture.maps()->colours(), RegressionColours::difference);
        // What is shown already is not made again.
        QCOMPARE(picture.set(QStringLiteral("show"), QStringLiteral("all")), PictureChange::paint);
        QVERIFY(picture.maps());
    }

    /// Whatever is chosen while large maps are being made, in the end those of the chosen row are shown.
    void theRowThatIsChosenLastHasItsMaps()
    {
        constexpr std::size_t large = 3 * Picture::sceneAtOnce;
        const auto regression = rowsOf({{large, true}, {large, true}, {40, true}});
        SelectionModel selection;
        Canvas canvas(selection, std::make_unique<RegressionPicture>(), QStringLiteral("Regression"));
        auto& picture = dynamic_cast<RegressionPicture&>(canvas.picture());
        canvas.resize(1200, 800);
        canvas.show();
        canvas.setSource(sourceOf(regression));
        const auto choose = [&](std::size_t row) { canvas.apply(picture.choose(regression->rows[row].result.key)); };
        const auto shown = [&](std::size_t row) {
            return canvas.ready() && picture.maps() && picture.row() == &regression->rows[row];
        };
        QTRY_VERIFY_WITH_TIMEOUT(shown(0), 30'000);
        for (const auto& [first, last] : {std::pair{1, 0}, {1, 2}, {0, 1}, {2, 0}}) {
            choose(std::size_t(first));
            choose(std::size_t(last)); // before the maps of the first one are there
            QTRY_VERIFY_WITH_TIMEOUT(shown(std::size_t(last)), 30'000);
            QCOMPARE(&picture.maps()->row(), &regression->rows[std::size_t(last)]);
        }
    }

    /// A file of a large row has its maps, whichever row and colours are asked for.
    void filesOfLargeRowsHaveTheirMaps()
    {
        const auto regression = rowsOf({{40, true}, {Picture::sceneAtOnce + 1, false}});
        QTemporaryDir folder;
        RenderOptions options;
        options.set = {{QStringLiteral("row"), QString::fromStdString(regression->rows[1].result.key)},
                       {QStringLiteral("maps"), QStringLiteral("difference")}};
        const QString path = folder.filePath(QStringLiteral("rows.svg"));
        QVERIFY(bool(renderRegressionToFile(regression, options, path)));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains(">Current<") && !text.contains("Preparing the maps"));
    }

    /// Rows of one model, target and planner differ in their settings only. A new row has its remarks as well.
    void rowsSayTheirSettingsAndRemarks()
    {
        auto regression = std::make_shared<Regression>(*rowsOf({{40, false}}));
        RowResult& result = regression->rows.front().result;
        result.model = "models/m.json";
        result.settings = "seed=3";
        result.verdict = RowVerdict::added;
        result.noTimeRatio = failure(Code::inPlaceImpossible, "no way");
        QTemporaryDir folder;
        RenderOptions options;
        const QString path = folder.filePath(QStringLiteral("rows.svg"));
        QVERIFY(bool(renderRegressionToFile(regression, options, path)));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.contains("m.json, seed=3<"), text.left(20'000));
        QVERIFY2(text.contains("Not in the baseline; time_ratio is not judged"), text.left(20'000));
    }

    /// Without a planned model there are the picture, in each format, and the rows.
    void aSuiteAloneIsExported()
    {
        const Nightly nightly;
        Desk desk;
        RegressionView* view = open(desk, nightly);
        QVERIFY(view);
        const auto enabled = [&](const char* id) { return desk.window->actions().action(QLatin1String(id))->isEnabled(); };
        QVERIFY(enabled("file.export-picture") && enabled("file.export-table") && !enabled("file.export-plan"));
        const QString csv = nightly.path("rows.csv"), svg = nightly.path("rows.svg");
        desk.find<QPushButton>("toolbarExport")->click();
        auto* file = desk.find<QLineEdit>("exportFile");
        QVERIFY(file && file->text().endsWith(QStringLiteral("/nightly.regression.png")));
        file->setText(svg);
        desk.find<QPushButton>("exportButton")->click();
        desk.window->exportItem(QStringLiteral("table:regression"), csv);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(csv) && QFile::exists(svg), 20'000);
        QVERIFY(test::contentsOf(svg).contains(">nightly<"));
        const QList<QByteArray> lines = test::contentsOf(csv).trimmed().split('\n');
        QCOMPARE(lines.size(), qsizetype(5)); // titles, and both planners of each model
        const RowResult& worst = view->desk().regression()->rows.front().result;
        const QByteArray sizes = QByteArray::number(worst.baseline->size) + ',' + QByteArray::number(worst.current->size);
        QVERIFY2(lines[1].startsWith("worse,") && lines[1].contains(',' + sizes + ','), lines[1]);
    }

    void aClickChoosesARowAndFiltersKeepIt()
    {
        const Nightly nightly;
        Desk desk;
        RegressionView* view = open(desk, nightly);
        QVERIFY(view);
        RegressionPicture& picture = view->regressionPicture();
        const std::string first = picture.row()->result.key;
        QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, picture.rowBox(1).center().toPoint());
        QVERIFY(picture.row()->result.key != first);
        const std::string second = picture.row()->result.key;
        QVERIFY(view->canvas()->setOption("show", "regressions"));
        QCOMPARE(picture.listed().size(), std::size_t(2));
        QCOMPARE(picture.row()->result.key, second);
        QVERIFY(view->canvas()->setOption("show", "all"));
        QCOMPARE(picture.listed().size(), std::size_t(4));
        // A buffer is marked by a click on it in either map.
        for (double y = picture.mapsBox().top(); y < picture.mapsBox().bottom() && picture.marked() != "b"; y += 4)
            for (double x = picture.mapsBox().left(); x < picture.mapsBox().center().x(); x += 4)
                if (const auto hit = picture.maps()->hit({x, y}); hit && hit->buffer == "b") {
                    QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, QPoint(int(x), int(y)));
                    break;
                }
        QCOMPARE(picture.marked(), std::string("b"));
    }

    void bothMapsOpenAsModelsWithTheirPlans()
    {
        const Nightly nightly;
        Desk desk;
        RegressionView* view = open(desk, nightly);
        QVERIFY(view);
        const Bytes before = view->regressionPicture().row()->result.baseline->size;
        const Bytes now = view->regressionPicture().row()->result.current->size;
        QVERIFY(before < now);
        QTest::mouseClick(desk.find<QPushButton>("regressionBoth"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(desk.session.models().size(), std::size_t(2), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
        QVERIFY(desk.workspace().models().failures().empty());
        std::vector<Bytes> sizes;
        for (const int id : desk.session.models())
            if (const auto run = desk.workspace().shown().runOfModel(id)) sizes.push_back(run->report.totalSize());
        std::ranges::sort(sizes);
        QCOMPARE(sizes, (std::vector<Bytes>{before, now}));
        QCOMPARE(QString::fromLatin1(viewEntries()[std::size_t(desk.window->views().current())].id),
                 QStringLiteral("memory-map"));
    }

    /// Each row of a model is shown with its own plan, also when the model or the baseline is open already. Of the grown model a
    /// and c may share and b is live with both: 20 + 16 bytes; end to end they are 46.
    void eachRowOfAModelShowsItsOwnPlan()
    {
        struct Shown {
            const char* planner;
            Bytes size;
            std::size_t models;
        };
        const Nightly nightly;
        Desk desk;
        RegressionView* view = open(desk, nightly);
        QVERIFY(view);
        for (const Shown& step : {Shown{"exact", 36, 2}, Shown{"naive", 46, 3}, Shown{"exact", 36, 3}}) {
            const auto& rows = view->desk().regression()->rows;
            const auto row = std::ranges::find_if(rows, [&](const RegressionRow& each) {
                return each.result.verdict == RowVerdict::worse && each.current && each.current->plan.planner == step.planner;
            });
            QVERIFY(row != rows.end());
            view->desk().openBothMaps(*row);
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.session.models().size() == step.models, 20'000);
            QVERIFY(desk.workspace().model()->path.endsWith(u"a.csv")); // whichever file is read last
            QVERIFY(desk.workspace().run());
            QCOMPARE(desk.workspace().run()->plan.planner, std::string(step.planner));
            QCOMPARE(desk.workspace().run()->report.totalSize(), step.size);
        }
    }

    /// A model whose ops were edited takes no plan of the suite. The copy that is opened instead takes the next one.
    void aPlanJoinsTheOpenCopyThatTakesIt()
    {
        const Nightly nightly(false);
        nightly.put("p.json", program);
        nightly.put("nightly.suite.json", R"({"format": "stowage.suite/1", "name": "nightly",)"
                                          R"( "rows": [{"model": "p.json", "planners": ["naive"]}]})");
        Desk desk;
        RegressionView* view = open(desk, nightly);
        QVERIFY(view);
        const auto opened = [&](std::size_t models) {
            view->desk().openBothMaps(view->desk().regression()->rows.front());
            return QTest::qWaitFor(
                [&] { return desk.idle() && desk.session.models().size() == models && desk.workspace().run(); }, 20'000);
        };
        QVERIFY(opened(1));
        const int edited = desk.workspace().modelId();
        Program longer = *desk.workspace().model()->program;
        Function& entry = longer.functions.front();
        entry.ops.push_back(entry.ops.back());
        entry.ops.back().name = "use again";
        entry.regions.front().ops.push_back(OpId(entry.ops.size() - 1));
        desk.workspace().edits().setProgram(std::make_shared<const Program>(longer), QStringLiteral("Use twice"));
        QVERIFY(desk.workspace().edits().programIsEdited(edited));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        QVERIFY(opened(2));
        const int copy = desk.workspace().modelId();
        QVERIFY(copy != edited);
        desk.workspace().setModel(edited);
        QVERIFY(opened(2)); // no third one
        QCOMPARE(desk.workspace().modelId(), copy);
    }

    /// The fit of a model depends on the runtime of its target.
    void theRuntimeOfARowsTargetComesWithItsPlan()
    {
        const Nightly nightly(false);
        nightly.put("p.json", program);
        nightly.put("board.json", R"({"format": "stowage.target/1", "name": "board", "runtime": "tflm",)"
                                  R"( "pools": [{"name": "sram", "capacity": 4096}]})");
        nightly.put("nightly.suite.json", R"({"format": "stowage.suite/1", "name": "nightly",)"
                                          R"( "rows": [{"model": "p.json", "target": "board.json", "planners": ["naive"]}]})");
        Desk desk;
        RegressionView* view = open(desk, nightly);
        QVERIFY(view);
        view->desk().openBothMaps(view->desk().regression()->rows.front());
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        const Target& target = desk.workspace().edits().setup().target;
        QCOMPARE(target.runtime, QStringLiteral("tflm"));
        QCOMPARE(target.file, nightly.path("board.json"));
        QCOMPARE(target.pools.size(), std::size_t(1));
        QCOMPARE(target.pools.front().name, std::string("sram"));
    }

    /// The question of one suite writes no baseline of another one, which is asked about instead.
    void aQuestionOfAnotherSuiteWritesNothing()
    {
        const Nightly first, second;
        Desk desk;
        RegressionView* view = open(desk, first);
        QVERIFY(view);
        QSignalSpy asked(&desk.workspace(), &Workspace::noticed);
        QTest::mouseClick(desk.find<QPushButton>("regressionUpdate"), Qt::LeftButton);
        QCOMPARE(asked.size(), 1);
        const auto notice = asked.front().front().value<Notice>();
        QVERIFY(notice.asks());
        desk.window->openFiles({second.suite()});
        QVERIFY(!notice.asks());
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().running() && view->desk().regression(), 20'000);
        QVERIFY(!notice.asks());
        const QByteArray before = test::contentsOf(second.path("nightly.baseline.json"));
        QVERIFY(!before.isEmpty());
        notice.choices.front().take();
        QVERIFY(!view->desk().running());
        QCOMPARE(asked.size(), 2);
        QVERIFY(asked.back().front().value<Notice>().asks());
        QCOMPARE(view->desk().regression()->counts[std::size_t(RowVerdict::worse)], std::size_t(2));
        QCOMPARE(test::contentsOf(second.path("nightly.baseline.json")), before);
    }

    /// An answer that comes while the suite is planned writes nothing: the question follows with the next results.
    void anAnswerDuringAPlanningIsAskedForAgain()
    {
        const Nightly nightly;
        Desk desk;
        RegressionView* view = open(desk, nightly);
        QVERIFY(view);
        QSignalSpy asked(&desk.workspace(), &Workspace::noticed);
        QTest::mouseClick(desk.find<QPushButton>("regressionUpdate"), Qt::LeftButton);
        QCOMPARE(asked.size(), 1);
        const auto notice = asked.front().front().value<Notice>();
        const QByteArray before = test::contentsOf(nightly.path("nightly.baseline.json"));
        view->desk().run();
        QVERIFY(view->desk().running() && !notice.asks());
        notice.choices.front().take();
        QTRY_COMPARE_WITH_TIMEOUT(asked.size(), 2, 20'000);
        QVERIFY(!view->desk().running());
        QCOMPARE(test::contentsOf(nightly.path("nightly.baseline.json")), before);
        asked.back().front().value<Notice>().choices.front().take();
        QVERIFY(view->desk().running());
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().running(), 20'000);
        QCOMPARE(view->desk().regression()->counts[std::size_t(RowVerdict::worse)], std::size_t(0));
    }

    /// Only the next results of the suite that was answered for are asked about: not those of another one, and nothing hides why
    /// a row was not accepted.
    void anAnswerIsAskedForAgainOnlyWithTheResultsOfItsSuite()
    {
        const Nightly first, second;
        Desk desk;
        RegressionView* view = open(desk, first);
        QVERIFY(view);
        QSignalSpy asked(&desk.workspace(), &Workspace::noticed), answered(&view->desk(), &SuiteDesk::answered);
        QTest::mouseClick(desk.find<QPushButton>("regressionUpdate"), Qt::LeftButton);
        const auto ofFirst = asked.back().front().value<Notice>();
        view->desk().run();
        ofFirst.choices.front().take();
        desk.workspace().openSuite(second.suite()); // before the first one is planned
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().running(), 20'000);
        QCOMPARE(view->desk().suite(), second.suite());
        QCOMPARE(answered.size(), 1);
        QCOMPARE(asked.size(), 1);

        auto* accept = desk.find<QPushButton>("regressionAccept");
        QTRY_VERIFY(accept->isEnabled());
        QTest::mouseClick(desk.find<QPushButton>("regressionUpdate"), Qt::LeftButton);
        QCOMPARE(asked.size(), 2);
        const auto ofSecond = asked.back().front().value<Notice>();
        second.put("nightly.baseline.json", "no baseline");
        QTest::mouseClick(accept, Qt::LeftButton);
        QVERIFY(view->desk().running());
        ofSecond.choices.front().take();
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().running(), 20'000);
        QCOMPARE(asked.size(), 3); // why the row was not accepted
        QVERIFY(!asked.back().front().value<Notice>().asks());
    }

    void oneRowIsAcceptedThenAll()
    {
        const Nightly nightly;
        Desk desk;
        RegressionView* view = open(desk, nightly);
        QVERIFY(view);
        const auto worse = [&] {
            return view->desk().regression() ? view->desk().regression()->counts[std::size_t(RowVerdict::worse)] : 99;
        };
        QTest::mouseClick(desk.find<QPushButton>("regressionAccept"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().running() && worse() == 1, 20'000);
        // All are asked for first.
        QSignalSpy asked(&desk.workspace(), &Workspace::noticed);
        QTest::mouseClick(desk.find<QPushButton>("regressionUpdate"), Qt::LeftButton);
        QCOMPARE(asked.size(), 1);
        const auto notice = asked.front().front().value<Notice>();
        QCOMPARE(notice.choices.size(), std::size_t(1));
        QCOMPARE(worse(), std::size_t(1));
        notice.choices.front().take();
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().running() && worse() == 0, 20'000);
        QCOMPARE(view->desk().regression()->counts[std::size_t(RowVerdict::same)], std::size_t(4));
    }

    void aSuiteWithoutBaselineSaysSoAndABrokenOneWhy()
    {
        const Nightly nightly(false);
        Desk desk;
        RegressionView* view = open(desk, nightly);
        QVERIFY(view);
        QCOMPARE(view->desk().regression()->counts[std::size_t(RowVerdict::added)], std::size_t(4));
        QCOMPARE(view->desk().regression()->baselineRows, std::size_t(0));
        nightly.put("broken.json", R"({"format": "stowage.suite/1", "name": "broken", "rows": [{"planners": ["auto"]}]})");
        QSignalSpy answered(&view->desk(), &SuiteDesk::answered);
        desk.window->openFiles({nightly.path("broken.json")});
        QTRY_COMPARE_WITH_TIMEOUT(answered.size(), 1, 20'000);
        QVERIFY2(view->message().contains(QStringLiteral("broken.json")), qPrintable(view->message()));
        QVERIFY2(view->message().contains(QStringLiteral("model")), qPrintable(view->message()));
    }

    void aRunIsCancelledAndTheWindowClosesMeanwhile()
    {
        Nightly nightly;
        QByteArray hard = "id,lower,upper,size\n";
        std::uint32_t state = 1;
        const auto next = [&](std::uint32_t below) { return (state = state * 1664525U + 1013904223U) / 65536U % below; };
        for (int i = 0; i < 3000; ++i) {
            const auto begin = next(2000);
            hard += QByteArray::number(i) + ',' + QByteArray::number(begin) + ',' + QByteArray::number(begin + 1 + next(300)) +
                    ',' + QByteArray::number(1 + next(5000)) + '\n';
        }
        nightly.put("a.csv", hard);
        nightly.put("nightly.suite.json", R"({"format": "stowage.suite/1", "name": "nightly", "rows": [{"model": "a.csv",)"
                                          R"( "planners": ["exact"], "time_limit": 600, "work_limit": 1000000000000}]})");
        auto desk = std::make_unique<Desk>();
        desk->window->openFiles({nightly.suite()});
        auto* view = desk->show<RegressionView>("regression");
        QVERIFY(view && view->desk().running());
        QTest::qWait(200);
        view->desk().cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().running(), 10'000);
        QVERIFY2(view->message().contains(QStringLiteral("cancelled")), qPrintable(view->message()));
        view->desk().run();
        QVERIFY(view->desk().running());
        QTest::qWait(200);
        QElapsedTimer clock;
        clock.start();
        desk.reset();
        QVERIFY2(clock.elapsed() < 10'000, "the search was waited for");
    }
};

QTEST_MAIN(RegressionViewTest)
#include "tst_regression_view.moc"
