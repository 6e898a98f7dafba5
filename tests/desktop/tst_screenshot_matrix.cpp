// Every view of the window with models of every sort, in both themes: no letter is cut, no number, no text lies over another one,
// contrast is at least 4.5:1, and no widget reaches out of its panel. Read from the geometry of what is painted, not from pixels.
//
// The test of a usual run has one size of window. With STOWAGE_MATRIX=all there are three; STOWAGE_MATRIX_PICTURES=FOLDER keeps a
// PNG of every state, STOWAGE_MATRIX_VIEW=ID tries one view only. QT_SCALE_FACTOR=2 makes it 2x (a test of its own).
#include "app/canvas/kit/draw_list.h"
#include "app/desktop/look/look.h"
#include "app/desktop/panels/changes_list.h"
#include "app/desktop/panels/kernel_changes.h"
#include "app/desktop/panels/overflow_page.h"
#include "app/desktop/panels/pipeline_pane.h"
#include "app/desktop/shell/command_palette.h"
#include "app/desktop/shell/export_dialog.h"
#include "app/desktop/shell/guide_window.h"
#include "app/desktop/shell/plugin_dialog.h"
#include "app/desktop/shell/samples.h"
#include "app/desktop/shell/settings_dialog.h"
#include "app/desktop/shell/tour.h"
#include "app/desktop/shell/welcome_page.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/error_card.h"
#include "app/desktop/widgets/state_page.h"
#include "tests/desktop/desk.h"
#include "tests/desktop/matrix_models.h"
#include "tests/desktop/painted_texts.h"
#include "tests/screenshot/screenshot.h"
#include "tests/support/written_file.h"

#include <QAbstractButton>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

using namespace stowage;
using test::Desk;
using test::faultsOf;
using test::layoutFaults;
using test::paintedTexts;
using test::matrix::openFile;
using test::matrix::openLongNamed;
using test::matrix::openText;

namespace {

/// Paints through a draw list, as pictures and cells of tables do.
class ListPainter : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        TextShaper shaper;
        DrawList list(shaper, devicePixelRatioF());
        list.fill(QRectF(rect()), Qt::white);
        list.text(Face::body, width() - 20, height() / 2.0, QStringLiteral("from a draw list"), Qt::black);
        replay(list, painter);
    }
};

template <typename Part, typename Test>
bool anyVisible(Desk& desk, Test test)
{
    const auto parts = desk.window->findChildren<Part*>();
    return std::ranges::any_of(parts, [&](const Part* part) { return part->isVisible() && test(*part); });
}

/// Whether the window shows what it is going to show: no page says that its picture is being prepared, no list that changes are
/// being tried, and every sample has its thumbnail.
bool isSettled(Desk& desk)
{
    const auto busy = [](const auto& part) { return part.busy(); };
    const auto prepares = [](const StatePage& page) { return page.sentence().startsWith(QStringLiteral("Preparing")); };
    if (!desk.idle() || anyVisible<StatePage>(desk, prepares) || anyVisible<ChangesList>(desk, busy) ||
        anyVisible<KernelChanges>(desk, busy) || anyVisible<OverflowPage>(desk, busy))
        return false;
    if (desk.window->welcome().isVisible() && !desk.find<Samples>()->complete()) return false;
    Canvas* canvas = desk.window->views().isVisible() ? desk.window->views().currentView()->canvas() : nullptr;
    return !canvas || !canvas->isVisible() || !canvas->scene() || canvas->settled();
}

bool waitSettled(Desk& desk)
{
    int turns = 0; // some work starts in the next turn of the event loop
    return QTest::qWaitFor([&] { return (turns = isSettled(desk) ? turns + 1 : 0) > 2; }, 60'000);
}

struct ModelRow {
    const char* name;
    std::function<bool(Desk&)> open;
};

const std::vector<ModelRow>& models()
{
    static const std::vector<ModelRow> rows{
        {"small",
         [](Desk& desk) {
             return openText(desk, "small", QStringLiteral("id,lower,upper,size\na,0,3,64\nb,1,4,32\nc,3,6,64\n"));
         }},
        {"network", [](Desk& desk) { return desk.open("transformer_block"); }},
        {"large", test::matrix::openLarge},
        {"long-named", openLongNamed},
        {"failing", test::matrix::openFailing},
        {"empty", [](Desk& desk) { return openText(desk, "empty", QStringLiteral("id,lower,upper,size\n")); }},
        {"unknown-size", test::matrix::openUnknownSize},
        {"two-memory", [](Desk& desk) { return desk.open("microcontroller_two_memories"); }},
        {"kernel", [](Desk& desk) { return openFile(desk, "flash_attention_vector.mlir"); }},
        {"loop", [](Desk& desk) { return desk.open("lstm_loop"); }},
        {"suite", test::matrix::openSuiteAlone},
    };
    return rows;
}

/// A view after something was done in it: what was chosen, measured, hovered, or is under way.
struct StateRow {
    const char* name;
    const char* sample; ///< file below resources/samples; null: a problem that is searched for long
    const char* view;
    const char* states; ///< of the screenshot tool, with ";" between them
    bool usual = false; ///< in a usual run, too; the others take long, and are part of the whole matrix only
};

const std::vector<StateRow>& states()
{
    static const std::vector<StateRow> rows{
        {"pipeline-devices", "mobilenet_v1_025.json", "pipeline", "devices:camera-4", true},
        {"pipeline-stage", "mobilenet_v1_025.json", "pipeline", "devices:camera-4;selected:1,-1,-1"},
        {"pipeline-curve", "mobilenet_v1_025.json", "pipeline", "devices:phone-soc;chart:1"},
        {"pipeline-bars", "resnet18.json", "pipeline", "devices:phone-soc;chart:2"},
        {"replay-half", "resnet18.json", "replay", "record:50"},
        {"replay-end", "microcontroller_two_memories.json", "replay", "record:100"},
        {"robustness", "mobilenet_v1_025.json", "robustness", "robustness"},
        {"fold", "mlp_packed_weights.json", "fold", "", true},
        {"fit", "tflite/doorbell.tflite", "fit", "fit"},
        {"fit-log", "tflite/doorbell.tflite", "fit", "log:resources/samples/tflite/doorbell.log", true},
        {"top", "resnet18.json", "memory-map", "top"},
        {"top-long", "transformer_block.json", "memory-map", "top"},
        {"overflow", "resnet18.json", "memory-map", "capacity:92160"},
        {"overflow-kernel", "ascend/flash_attention_vector_56.mlir", "memory-map", "action:view.diagnostics"},
        {"planning", nullptr, "memory-map", "planning:exact"},
        {"planned-many", "mobilenet_v1_025.json", "compare", "plan:hill-climb;plan:exact;plan:best-fit-decreasing"},
        {"runs-time", "mobilenet_v1_025.json", "compare", "runs-as:0"},
        {"changes-since", "mobilenet_v1_025.json", "compare", "changes-since:resources/samples/resnet18.json", true},
        {"runs-stall", "flash_attention_vector.mlir", "compare", "runs-as:1"},
        {"runs-order", "resnet18.json", "compare", "runs-as:2"},
        {"runs-planners", "mobilenet_v1_025.json", "compare", "runs-as:3"},
        {"local-first", "unified_planning.tir", "compare", "local-first"},
        {"search", "resnet18.json", "memory-map", "search:conv"},
        {"search-long", "unet_training.json", "memory-map", "search:grad", true},
        {"palette-long", "unet_training.json", "memory-map", "palette:grad"},
        {"search-wrong", "resnet18.json", "memory-map", "search:size>"},
        {"hover-map", "resnet18.json", "memory-map", "hover:canvas,40,60", true},
        {"hover-liveness", "resnet18.json", "liveness", "hover:canvas,40,60"},
        {"hover-heatmap", "resnet18.json", "heatmap", "hover:canvas,40,60", true},
        {"hover-usage", "resnet18.json", "usage", "hover:canvas,40,60"},
        {"hover-graph", "resnet18.json", "graph", "hover:canvas,50,50"},
        {"hover-pipes", "flash_attention_vector.mlir", "pipes", "hover:canvas,40,30"},
        {"hover-loops", "lstm_loop.json", "loops", "hover:canvas,50,60"},
        {"kib-map", "resnet18.json", "memory-map", "unit:1;filter:size>4K;area:30,35,60,75", true},
        {"kib-heatmap", "resnet18.json", "heatmap", "unit:1;filter:size>4K;area:30,35,60,75"},
        {"kib-usage", "microcontroller_two_memories.json", "usage", "unit:1;filter:size>1K;area:30,10,60,40"},
        {"kib-compare", "mobilenet_v1_025.json", "compare", "unit:1;plan:exact;plan:best-fit-decreasing"},
        {"words-map", "microcontroller_two_memories.json", "memory-map", "unit:2", true},
        {"properties", "microcontroller_two_memories.json", "memory-map", "properties"},
        {"diagnostics", "unified_planning.tir", "tables", "diagnostics"},
        {"streams", "pytorch/two_streams.pickle", "memory-map", ""},
        {"reorder", "imagenet_densenet121.json", "memory-map", "action:plan.reorder"},
        {"runs-edited", "resnet18.json", "memory-map", "capacity:262144;capacity:300000"},
    };
    return rows;
}

/// What is not a view: a page, a card over the window, a dialog. Gives the widget whose texts are read; null: it did not come.
struct CardRow {
    const char* name;
    std::function<QWidget*(Desk&)> open;
    bool wholeOnly = false; ///< in the whole matrix only: much like another row, or long
};

QWidget* errorCardFor(Desk& desk, int files)
{
    static const QTemporaryDir folder;
    QStringList names;
    for (int i = 0; i < files; ++i)
        names << test::writtenFile(folder, QStringLiteral("broken_%1.csv").arg(i), "id,lower,upper,size\na,3,1,64\n");
    desk.window->openFiles(names);
    const auto shown = [&] {
        // With no model open it lies on the first page, else over the views.
        const auto cards = desk.window->findChildren<ErrorCard*>();
        return desk.idle() && std::ranges::any_of(cards, &ErrorCard::isVisible);
    };
    return QTest::qWaitFor(shown, 30'000) ? desk.window.get() : nullptr;
}

QWidget* paletteFor(Desk& desk, const QString& words)
{
    if (!desk.open("transformer_block") || !waitSettled(desk)) return nullptr;
    if (!QTest::qWaitForWindowActive(desk.window.get())) return nullptr; // it closes when it loses the focus
    desk.trigger("tools.palette");
    auto* const palette = desk.find<CommandPalette>();
    if (palette && !words.isEmpty()) palette->findChild<QLineEdit*>()->setText(words);
    return palette;
}

QWidget* exportFor(Desk& desk, const char* action)
{
    if (!desk.open("transformer_block")) return nullptr;
    desk.trigger(action);
    return desk.find<ExportDialog>();
}

const std::vector<CardRow>& cards()
{
    static const std::vector<CardRow> rows = [] {
        std::vector<CardRow> made{
            {"welcome", [](Desk& desk) -> QWidget* { return desk.window.get(); }},
            {"welcome-recent",
             [](Desk& desk) -> QWidget* {
                 for (const char* name : {"mobilenet_v1_025", "imagenet_densenet121", "microcontroller_two_memories"})
                     if (!desk.open(name)) return nullptr;
                 if (!openLongNamed(desk)) return nullptr;
                 while (desk.workspace().modelId()) desk.trigger("file.close");
                 return desk.window.get();
             },
             true},
            {"error", [](Desk& desk) { return errorCardFor(desk, 1); }},
            {"errors", [](Desk& desk) { return errorCardFor(desk, 11); }},
            {"palette", [](Desk& desk) { return paletteFor(desk, {}); }, true},
            {"palette-found", [](Desk& desk) { return paletteFor(desk, QStringLiteral("layer0")); }},
            {"shortcuts",
             [](Desk& desk) -> QWidget* {
                 desk.trigger("help.shortcuts");
                 return desk.find<ShortcutList>();
             }},
            {"settings",
             [](Desk& desk) -> QWidget* {
                 desk.trigger("tools.settings");
                 return desk.find<SettingsDialog>();
             }},
            {"guide",
             [](Desk& desk) -> QWidget* {
                 desk.trigger("help.guide");
                 return desk.find<GuideWindow>();
             }},
            {"export-picture", [](Desk& desk) { return exportFor(desk, "file.export-picture"); }, true},
            {"export-plan", [](Desk& desk) { return exportFor(desk, "file.export-plan"); }},
            {"export-table", [](Desk& desk) { return exportFor(desk, "file.export-table"); }, true},
            {"plug-ins",
             [](Desk& desk) -> QWidget* {
                 auto* const dialog = new PluginDialog(desk.session.plugins(), desk.look, desk.window.get());
                 dialog->show();
                 return dialog;
             }},
        };
        static const char* const stops[] = {"tour-1", "tour-2", "tour-3", "tour-4", "tour-5", "tour-6"};
        for (int stop = 0; stop < int(std::size(stops)); ++stop)
            made.push_back({stops[stop], [stop](Desk& desk) -> QWidget* {
                                desk.trigger("help.tour");
                                if (!QTest::qWaitFor([&] { return desk.find<Tour>() && desk.idle(); }, 30'000)) return nullptr;
                                auto* const tour = desk.find<Tour>();
                                tour->go(std::min(stop, tour->count() - 1));
                                return tour;
                            }});
        return made;
    }();
    return rows;
}

} // namespace

class ScreenshotMatrixTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void theCheckFindsWhatItIsFor()
    {
        QVERIFY(test::cutsNumber(QStringLiteral("497,261,19…")));
        QVERIFY(test::cutsNumber(QStringLiteral("size …261,190 B")));
        QVERIFY(!test::cutsNumber(QStringLiteral("block_3/…/relu6")));
        QVERIFY(!test::cutsNumber(QStringLiteral("Reorder ops…")));
        QWidget window;
        window.resize(200, 100);
        QLabel cut(QStringLiteral("a text that is wider than its label"), &window), over(QStringLiteral("over"), &window),
            pale(QStringLiteral("pale"), &window);
        cut.setGeometry(10, 10, 60, 20);
        QLabel left(QStringLiteral("constants"), &window), right(QStringLiteral("12,345 B"), &window);
        left.setGeometry(10, 40, left.sizeHint().width(), 20);
        right.setGeometry(left.geometry().right() - 1, 40, 100, 20);
        over.setGeometry(20, 10, 60, 20);
        pale.setGeometry(190, 60, 60, 20);
        pale.setStyleSheet(QStringLiteral("color: #e0e0e0; background: #ffffff"));
        ListPainter list(&window);
        list.setGeometry(100, 65, 80, 20);
        window.show();
        const QString faults = (faultsOf(paintedTexts(window)) + layoutFaults(window)).join(u'\n');
        QVERIFY2(faults.contains(QStringLiteral("cut: \"a text")), qPrintable(faults));
        QVERIFY2(faults.contains(QStringLiteral("over \"a text")), qPrintable(faults));
        QVERIFY2(faults.contains(QStringLiteral("touches \"constants\": \"12,345 B\"")), qPrintable(faults));
        QVERIFY2(faults.contains(QStringLiteral("contrast 1.")), qPrintable(faults));
        QVERIFY2(faults.contains(QStringLiteral("outside its panel")), qPrintable(faults));
        QVERIFY2(faults.contains(QStringLiteral("cut: \"from a draw list")), qPrintable(faults));
    }

    void everyViewIsWholeAndReadable_data()
    {
        QTest::addColumn<int>("model");
        QTest::addColumn<QSize>("size");
        std::vector<QSize> sizes{{1440, 900}};
        if (qEnvironmentVariable("STOWAGE_MATRIX") == u"all") sizes = {{1600, 1000}, {1440, 900}, {1100, 700}};
        // At 2x the layout is the same in logical pixels, but for what is snapped to device pixels: two models tell.
        const bool few = qEnvironmentVariableIsSet("QT_SCALE_FACTOR") && sizes.size() == 1;
        for (const QSize size : sizes)
            for (std::size_t i = 0; i < models().size(); ++i) {
                const QLatin1String name(models()[i].name);
                if (few && name != QLatin1String("two-memory") && name != QLatin1String("long-named")) continue;
                // A narrow window is where bars and chips have no room: two models tell, and take no longer.
                const bool narrow =
                    sizes.size() == 1 && !few && (name == QLatin1String("network") || name == QLatin1String("large"));
                const QSize taken = narrow ? QSize(1100, 700) : size;
                QTest::addRow("%s %dx%d", models()[i].name, taken.width(), taken.height()) << int(i) << taken;
            }
    }

    void everyViewIsWholeAndReadable()
    {
        QFETCH(int, model);
        QFETCH(QSize, size);
        Desk desk;
        desk.window->resize(size);
        QVERIFY(models()[std::size_t(model)].open(desk));
        QStringList faults;
        const QString only = qEnvironmentVariable("STOWAGE_MATRIX_VIEW");
        for (std::size_t i = 0; i < viewEntries().size(); ++i) {
            const ViewEntry& entry = viewEntries()[i];
            if (entry.applies && !entry.applies(desk.workspace())) continue; // it has no tab
            if (!only.isEmpty() && only != QLatin1String(entry.id)) continue;
            const QString action = QStringLiteral("view.") + QLatin1String(entry.id);
            if (!desk.window->actions().action(action)->isEnabled()) continue; // a suite has one view
            desk.trigger(qPrintable(action));
            QVERIFY(desk.window->views().currentView());
            QCOMPARE(desk.window->views().current(), int(i));
            visited_.insert(entry.id);
            if (desk.workspace().run() && !desk.workspace().run()->problem().buffers.empty())
                desk.workspace().selection().select(0);
            QTest::qWait(40);
            QVERIFY2(waitSettled(desk), entry.id);
            // The present theme first: a theme of its own for each view would style the window twice as often.
            const ThemeMode present = desk.look.mode();
            for (const ThemeMode mode : {present, present == ThemeMode::dark ? ThemeMode::light : ThemeMode::dark}) {
                desk.look.setMode(mode);
                QTest::qWait(5);
                QApplication::sendPostedEvents(); // what was said anew is laid out
                const QString state = QStringLiteral("%1 %2 %3")
                                          .arg(QLatin1String(models()[std::size_t(model)].name), QLatin1String(entry.id),
                                               mode == ThemeMode::dark ? QStringLiteral("dark") : QStringLiteral("light"));
                const bool coloursOnly = mode == ThemeMode::light; // the layout is the same
                QStringList found = faultsNow(desk, coloursOnly);
                // What is worked out in the background (changes, incumbents) is laid out when it is there.
                for (int again = 0; again < 4 && !found.isEmpty(); ++again) {
                    QTest::qWait(120);
                    found = faultsNow(desk, coloursOnly);
                }
                keepPicture(desk, state, size);
                for (const QString& fault : found) faults << state + QStringLiteral(": ") + fault;
            }
        }
        for (const QString& fault : faults) qWarning().noquote() << fault;
        ++rows_;
        QVERIFY2(faults.isEmpty(), qPrintable(QStringLiteral("%1 faults").arg(faults.size())));
    }

    void everyStateOfAViewIsWholeAndReadable_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<QSize>("size");
        std::vector<QSize> sizes{{1280, 800}};
        if (qEnvironmentVariable("STOWAGE_MATRIX") == u"all") sizes = {{1600, 1000}, {1280, 800}, {1100, 700}};
        // At 2x the layout is the same in logical pixels.
        const bool few = qEnvironmentVariableIsSet("QT_SCALE_FACTOR") && sizes.size() == 1;
        for (const QSize size : sizes)
            for (std::size_t i = 0; i < states().size(); ++i)
                if (sizes.size() > 1 || (few ? i == 0 : states()[i].usual))
                    QTest::addRow("%s %dx%d", states()[i].name, size.width(), size.height()) << int(i) << size;
    }

    void everyStateOfAViewIsWholeAndReadable()
    {
        QFETCH(int, row);
        QFETCH(QSize, size);
        const StateRow& wanted = states()[std::size_t(row)];
        Desk desk;
        desk.window->resize(size);
        QVERIFY(wanted.sample ? openFile(desk, wanted.sample) : openText(desk, "hard", QString::fromLatin1(test::longSearch())));
        desk.trigger(qPrintable(QStringLiteral("view.") + QLatin1String(wanted.view)));
        QVERIFY(waitSettled(desk));
        const QString all = QString::fromLatin1(wanted.states);
        const bool plans = all.startsWith(QStringLiteral("planning:"));
        QString again; // what another theme hides
        for (QString state : all.split(u';', Qt::SkipEmptyParts)) {
            state.replace(QStringLiteral(":resources"), QStringLiteral(":" STOWAGE_SOURCE_DIR "/resources"));
            bringAbout(*desk.window, state);
            for (const char* kind : {"hover:", "search:", "palette:"})
                if (state.startsWith(QLatin1String(kind))) again = state;
        }
        QVERIFY(plans || waitSettled(desk));
        if (all.contains(QStringLiteral("chart:"))) QVERIFY(desk.find<PipelinePane>()->isVisible());
        QStringList faults;
        for (const ThemeMode mode : {ThemeMode::dark, ThemeMode::light}) {
            desk.look.setMode(mode);
            QTest::qWait(5);
            QApplication::sendPostedEvents();
            if (!again.isEmpty()) bringAbout(*desk.window, again);
            if (again.startsWith(QStringLiteral("search:")) || again.startsWith(QStringLiteral("palette:")))
                QVERIFY(listOverWindow(*desk.window));
            if (again.startsWith(QStringLiteral("hover:"))) QVERIFY(desk.window->views().currentView()->canvas()->card());
            const QString state =
                QStringLiteral("state %1 %2")
                    .arg(QLatin1String(wanted.name), mode == ThemeMode::dark ? QStringLiteral("dark") : QStringLiteral("light"));
            QStringList found = faultsNow(desk, mode == ThemeMode::light);
            for (int wait = 0; wait < 4 && !found.isEmpty(); ++wait) {
                QTest::qWait(120);
                found = faultsNow(desk, mode == ThemeMode::light);
            }
            keepPicture(desk, state, size);
            if (plans) QVERIFY(desk.workspace().busy() && desk.find<QAbstractButton>("cancelPlanning")->isVisible());
            for (const QString& fault : found) faults << state + QStringLiteral(": ") + fault;
        }
        desk.workspace().cancel();
        visited_.insert(viewEntries()[std::size_t(desk.window->views().current())].id);
        ++rows_;
        for (const QString& fault : faults) qWarning().noquote() << fault;
        QVERIFY2(faults.isEmpty(), qPrintable(QStringLiteral("%1 faults").arg(faults.size())));
    }

    /// A view that has no tab for any model above is passed over in each row.
    void noViewIsPassedOver()
    {
        const auto usual = std::size_t(std::ranges::count_if(states(), &StateRow::usual));
        if (rows_ < models().size() + usual || qEnvironmentVariableIsSet("STOWAGE_MATRIX_VIEW"))
            QSKIP("only some of the rows have run");
        for (const ViewEntry& entry : viewEntries()) QVERIFY2(visited_.contains(entry.id), entry.id);
    }

    void everyCardAndDialogIsWholeAndReadable_data()
    {
        QTest::addColumn<int>("card");
        QTest::addColumn<QSize>("size");
        std::vector<QSize> sizes{{1440, 900}};
        if (qEnvironmentVariable("STOWAGE_MATRIX") == u"all") sizes = {{1600, 1000}, {1440, 900}, {1100, 700}};
        const bool usual = sizes.size() == 1;
        for (const QSize size : sizes)
            for (std::size_t i = 0; i < cards().size(); ++i) {
                if (usual && cards()[i].wholeOnly) continue;
                const QSize taken = usual && i == 0 ? QSize(1100, 700) : size; // the first page has much to say
                QTest::addRow("%s %dx%d", cards()[i].name, taken.width(), taken.height()) << int(i) << taken;
            }
    }

    void everyCardAndDialogIsWholeAndReadable()
    {
        QFETCH(int, card);
        QFETCH(QSize, size);
        Desk desk;
        desk.window->resize(size);
        const CardRow& row = cards()[std::size_t(card)];
        QWidget* const shown = row.open(desk);
        QVERIFY2(shown, row.name);
        QTRY_VERIFY(shown->isVisible());
        QVERIFY2(waitSettled(desk), row.name);
        QStringList faults;
        for (const ThemeMode mode : {ThemeMode::dark, ThemeMode::light}) {
            desk.look.setMode(mode);
            QTest::qWait(60);
            const QLatin1String theme(mode == ThemeMode::dark ? "dark" : "light");
            shown->show(); // the palette closes when the focus leaves it, which nobody keeps there in a test
            QStringList found = faultsOf(paintedTexts(*shown));
            found += layoutFaults(*shown);
            for (const QString& fault : found) faults << QStringLiteral("%1 %2: %3").arg(QLatin1String(row.name), theme, fault);
            keepPicture(desk, QStringLiteral("card %1 %2").arg(QLatin1String(row.name), theme), size, shown);
        }
        for (const QString& fault : faults) qWarning().noquote() << fault;
        QVERIFY2(faults.isEmpty(), qPrintable(QStringLiteral("%1 faults").arg(faults.size())));
    }

private:
    /// Of the window, with the marks over its pictures, and of every picture in it.
    static QStringList faultsNow(Desk& desk, bool coloursOnly)
    {
        QStringList faults = faultsOf(paintedTexts(*desk.window), coloursOnly);
        if (!coloursOnly) faults += layoutFaults(*desk.window);
        for (Canvas* each : desk.window->findChildren<Canvas*>()) {
            if (!each->isVisible() || !each->scene()) continue;
            TextShaper shaper;
            DrawList list(shaper, each->devicePixelRatioF());
            each->picture().paint(list, BodyMode::given);
            faults += faultsOf(paintedTexts(list, each->size(), each->picture().theme().well, each->picture().parts().scrolls),
                               coloursOnly);
        }
        return faults;
    }

    /// `dialog`: a window of its own, or null; cards lie in the desk's window.
    static void keepPicture(Desk& desk, QString state, QSize size, QWidget* dialog = nullptr)
    {
        const QString folder = qEnvironmentVariable("STOWAGE_MATRIX_PICTURES");
        if (folder.isEmpty()) return;
        state.replace(u' ', u'-');
        const QString name =
            QStringLiteral("%1/%2-%3-%4x.png").arg(folder, state).arg(size.width()).arg(desk.window->devicePixelRatioF());
        (dialog && dialog->isWindow() ? dialog : desk.window.get())->grab().save(name);
    }

    test::OwnSettings settings_;
    std::set<std::string> visited_; ///< ids of views
    std::size_t rows_ = 0;          ///< count of rows of models and states that have run
};

QTEST_MAIN(ScreenshotMatrixTest)
#include "tst_screenshot_matrix.moc"
