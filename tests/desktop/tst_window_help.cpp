// The real window: guide, terms, settings, tour; and that all of it works by keyboard and for screen readers.
#include "app/desktop/file_watch.h"
#include "app/desktop/glossary.h"
#include "app/desktop/panels/planner_list.h"
#include "app/desktop/shell/guide_window.h"
#include "app/desktop/shell/settings_dialog.h"
#include "app/desktop/shell/tour.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/open_dialog.h"
#include "app/desktop/widgets/table.h"
#include "app/session/verdicts.h"
#include "core/lower/options.h"
#include "tests/desktop/desk.h"
#include "tests/support/written_file.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabBar>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <set>
#include <string>

using namespace stowage;
using test::Desk;

namespace {

const QString guideFolder = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/guide/");

QString readFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// What a screen reader says of a widget.
QString spokenName(QWidget* widget)
{
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
    return face ? face->text(QAccessible::Name) : QString();
}

/// Visible widgets below `window` that have a name, and that screen readers pass over all the same: fillers.
QStringList passedOverIn(QWidget& window)
{
    QStringList found;
    for (auto* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->accessibleName().isEmpty()) continue;
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
        if (!face || face->role() == QAccessible::Client || face->role() == QAccessible::NoRole)
            found << QStringLiteral("%1 '%2'").arg(QLatin1String(widget->metaObject()->className()), widget->accessibleName());
    }
    return found;
}

bool takesTab(const QWidget* widget)
{
    return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy() &&
           !widget->visibleRegion().isEmpty();
}

QString named(const QWidget* widget)
{
    return QStringLiteral("%1 '%2' in '%3'")
        .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
             widget->parentWidget() ? QLatin1String(widget->parentWidget()->metaObject()->className()) : QLatin1String(""));
}

/// Widgets below `window` that the keyboard reaches and a screen reader has no name for.
QStringList namelessIn(QWidget& window)
{
    QStringList found;
    for (auto* widget : window.findChildren<QWidget*>())
        // A bar of tabs has no name of its own: its tabs have.
        if (takesTab(widget) && !qobject_cast<QTabBar*>(widget) && spokenName(widget).isEmpty()) found << named(widget);
    return found;
}

/// Widgets below `window` that the tab key does not come to, beginning with `first`.
QStringList missedByTab(QWidget& window, QWidget* first)
{
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window)) return {QStringLiteral("the window does not become active")};
    first->setFocus();
    std::set<const QWidget*> wanted, reached;
    for (auto* widget : window.findChildren<QWidget*>())
        if (takesTab(widget) && widget->window() == window.window()) wanted.insert(widget);
    if (wanted.empty()) return {QStringLiteral("nothing takes the focus")};
    QStringList way;
    for (std::size_t i = 0; i < 3 * wanted.size() + 40; ++i) {
        QWidget* at = QApplication::focusWidget();
        if (at) reached.insert(at);
        if (i < 12) way << (at ? named(at) : QStringLiteral("nobody"));
        // The key goes to whoever has the focus: a widget that keeps it is a trap.
        QTest::keyClick(at ? at : &window, Qt::Key_Tab);
    }
    QStringList missed;
    for (const QWidget* widget : wanted)
        if (!reached.contains(widget) && takesTab(widget)) missed << named(widget);
    if (!missed.isEmpty()) qWarning().noquote() << "by way of" << way.join(QStringLiteral(", "));
    return missed;
}

/// Widgets below `window` that look the same with the focus as without it.
QStringList focusUnseenIn(QWidget& window)
{
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window)) return {QStringLiteral("the window does not become active")};
    QStringList found;
    for (auto* widget : window.findChildren<QWidget*>()) {
        if (!takesTab(widget) || widget->window() != window.window()) continue;
        if (QWidget* other = QApplication::focusWidget()) other->clearFocus();
        const QImage before = widget->grab().toImage();
        widget->setFocus(Qt::TabFocusReason);
        if (!widget->hasFocus()) continue; // it went when the focus came
        if (widget->grab().toImage() == before) found << named(widget);
    }
    return found;
}

} // namespace

class WindowHelpTest : public QObject {
    Q_OBJECT

    /// Keeps a picture to look at, where STOWAGE_SHOTS names a folder.
    static void shot(QWidget& window, const QString& name)
    {
        const QString to = qEnvironmentVariable("STOWAGE_SHOTS");
        if (to.isEmpty()) return;
        QTest::qWait(60);
        window.grab().save(QStringLiteral("%1/%2.png").arg(to, name));
    }

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void everyPageOpensAndItsLinksAndPicturesLeadSomewhere()
    {
        Desk desk;
        desk.trigger("help.guide");
        auto* guide = desk.find<GuideWindow>();
        QVERIFY(guide && guide->isVisible());
        QCOMPARE(guide->page(), QStringLiteral("index"));
        const QString recipe = readFile(guideFolder + QStringLiteral("pictures.cmake"));
        static const QRegularExpression link(QStringLiteral(R"(\[[^\]]*\]\(([^)]+)\))"));
        const QStringList files = QDir(guideFolder).entryList({QStringLiteral("*.md")}, QDir::Files);
        QVERIFY(files.size() >= 20);
        for (const QString& file : files) {
            const QString page = QFileInfo(file).completeBaseName();
            QVERIFY2(guide->pages().contains(page), qPrintable(page));
            QVERIFY2(guide->openPage(page), qPrintable(page));
            QCOMPARE(guide->page(), page);
            auto* list = guide->findChild<QListWidget*>(QStringLiteral("guidePages"));
            QCOMPARE(list->currentRow(), int(guide->pages().indexOf(page))); // the list follows
            QVERIFY2(guide->text().toPlainText().size() > 300, qPrintable(page));
            shot(*guide, page);
            const QString text = readFile(guideFolder + file);
            for (auto it = link.globalMatch(text); it.hasNext();) {
                const QString to = it.next().captured(1);
                if (to.startsWith(QStringLiteral("http"))) continue;
                if (to.endsWith(QStringLiteral(".png"))) // made by the build, or in the folder
                    QVERIFY2(recipe.contains(QStringLiteral("stowage_guide_picture(%1 ").arg(QFileInfo(to).completeBaseName())) ||
                                 QFile::exists(guideFolder + to),
                             qPrintable(page + QStringLiteral(": ") + to));
                else
                    QVERIFY2(QFile::exists(guideFolder + to), qPrintable(page + QStringLiteral(": ") + to));
            }
        }
        QVERIFY(!guide->openPage(QStringLiteral("no-such-page")));
        // Titles of pages are whole: none is shortened, and each has the height for its lines.
        const auto* list = guide->findChild<QListWidget*>(QStringLiteral("guidePages"));
        QCOMPARE(list->textElideMode(), Qt::ElideNone);
        for (int row = 0; row < list->count(); ++row) {
            const QRect place = list->visualItemRect(list->item(row));
            const QRect lines = list->fontMetrics().boundingRect(QRect(0, 0, place.width() - 16, 1000), Qt::TextWordWrap,
                                                                 list->item(row)->text());
            QVERIFY2(lines.height() <= place.height(), qPrintable(list->item(row)->text()));
        }
    }

    void everyTaskHasItsPage()
    {
        // The tasks that the guide must have, by the words of their titles.
        const std::vector<std::pair<const char*, const char*>> tasks{{"will-my-model-fit", "fit"},
                                                                     {"why-is-the-peak-so-high", "peak"},
                                                                     {"compare-planners", "planner"},
                                                                     {"judge-my-own-planner", "my own planner"},
                                                                     {"two-memories", "Two memories"},
                                                                     {"ascend-hivm", "Ascend"},
                                                                     {"loops-without-copies", "Loops"},
                                                                     {"constant-folding", "folded"},
                                                                     {"pipelines", "Pipelines"},
                                                                     {"tflite-micro", "TFLite Micro"},
                                                                     {"unified-static-memory-planning", "memory planning"},
                                                                     {"executorch-memory", "ExecuTorch"},
                                                                     {"xla-memory", "XLA"},
                                                                     {"pytorch-memory", "PyTorch"},
                                                                     {"other-dumps", "ONNX Runtime"},
                                                                     {"the-views", "views"},
                                                                     {"find-and-filter", "filter"},
                                                                     {"file-formats", "formats"},
                                                                     {"proofs-reductions-reports", "Proofs"}};
        const QString index = readFile(guideFolder + QStringLiteral("index.md"));
        for (const auto& [page, word] : tasks) {
            const QString title = readFile(guideFolder + QLatin1String(page) + QStringLiteral(".md")).section(u'\n', 0, 0);
            QVERIFY2(title.contains(QLatin1String(word)), qPrintable(title));
            QVERIFY2(index.contains(QStringLiteral("(%1.md)").arg(QLatin1String(page))), page);
        }
    }

    void f1OpensThePageOfWhatIsShown()
    {
        Desk desk;
        QCOMPARE(desk.window->guidePage(), QStringLiteral("index"));
        QVERIFY(desk.open("lstm_loop"));
        desk.window->activateWindow();
        for (const ViewEntry& entry : viewEntries()) {
            QVERIFY2(GuideWindow::pageOfView(QString::fromLatin1(entry.id)) != u"index", entry.id); // a new view has to say
            QVERIFY2(QFile::exists(guideFolder + GuideWindow::pageOfView(QString::fromLatin1(entry.id)) + QStringLiteral(".md")),
                     entry.id);
        }
        desk.window->views().setCurrent(QStringLiteral("loops"));
        desk.window->setFocus();
        QTest::keyClick(desk.window.get(), Qt::Key_F1);
        auto* guide = desk.find<GuideWindow>();
        QVERIFY(guide && guide->isVisible());
        QCOMPARE(guide->page(), QStringLiteral("loops-without-copies"));
        guide->close();
        // What has the focus goes before the view.
        desk.window->activateWindow();
        desk.window->views().setCurrent(QStringLiteral("memory-map"));
        desk.find<QTableView>("runTable")->setFocus();
        QTRY_COMPARE(desk.window->guidePage(), QStringLiteral("compare-planners"));
        desk.window->setFocus();
        // A plan that does not fit asks another question.
        Desk other;
        QVERIFY(other.open("resnet18"));
        other.workspace().edits().setCapacity(0, 1000);
        QTRY_VERIFY_WITH_TIMEOUT(other.idle() && other.workspace().run()->report.verdict.overCapacity, 30'000);
        other.window->setFocus();
        QCOMPARE(other.window->guidePage(), QStringLiteral("will-my-model-fit"));
    }

    void theGuideIsSearched()
    {
        Desk desk;
        desk.trigger("help.guide");
        auto* guide = desk.find<GuideWindow>();
        auto* list = guide->findChild<QListWidget*>(QStringLiteral("guidePages"));
        const auto shown = [&] {
            int count = 0;
            for (int row = 0; row < list->count(); ++row) count += !list->isRowHidden(row);
            return count;
        };
        QCOMPARE(shown(), int(guide->pages().size()));
        guide->findChild<QLineEdit*>(QStringLiteral("guideSearch"))->setText(QStringLiteral("RecordingMicroInterpreter"));
        QCOMPARE(shown(), 1); // the page on TFLite Micro
        guide->findChild<QLineEdit*>(QStringLiteral("guideSearch"))->clear();
        QCOMPARE(shown(), int(guide->pages().size()));
    }

    void everyTermIsExplainedWhereItStands()
    {
        QVERIFY(glossaryTerms().size() > 50);
        QVERIFY(meaningOf(QStringLiteral("pool size, KiB")) == meaningOf(QStringLiteral("size")));
        QVERIFY(!meaningOf(QStringLiteral("conflicts")).isEmpty());
        QVERIFY(meaningOf(QStringLiteral("no such term")).isEmpty());
        for (const char* term :
             {"left out", "reuse bar", "hatch", "op code", "lowering", "padding", "over bound", "lower bound", "free at peak"})
            QVERIFY2(!meaningOf(QLatin1String(term)).isEmpty(), term);
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        // Captions of the inspector.
        const auto explainedCaptions = [&] {
            int count = 0;
            for (auto* label : desk.find<QWidget>("inspector")->findChildren<QLabel*>())
                count += label->isVisible() && label->toolTip().contains(QStringLiteral(": "));
            return count;
        };
        QTRY_VERIFY2(explainedCaptions() >= 4, qPrintable(QString::number(explainedCaptions())));
        // Keys of the lowering.
        for (const std::string_view key : {"order", "loops", "views", "inplace"}) {
            auto* combo = desk.find<QComboBox>(("option:" + std::string(key)).c_str());
            QVERIFY2(combo && !combo->toolTip().isEmpty(), std::string(key).c_str());
        }
        // Every toggle of every view says what it does, unless its text is more than a word.
        for (const ViewEntry& entry : viewEntries()) {
            desk.window->views().setCurrent(QString::fromLatin1(entry.id));
            View* view = desk.window->views().currentView();
            if (!view->bar()) continue;
            for (auto* button : view->bar()->findChildren<QAbstractButton*>())
                if (button->isVisible() && button->isCheckable() && button->toolTip().isEmpty() &&
                    !button->text().contains(u' ') && (!button->parentWidget() || button->parentWidget()->toolTip().isEmpty()))
                    QVERIFY2(false,
                             qPrintable(QStringLiteral("%1: '%2' has no tool tip").arg(QLatin1String(entry.id), button->text())));
        }
    }

    void settingsTakeEffectAtOnce()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        desk.trigger("tools.settings");
        auto* page = desk.find<SettingsDialog>();
        QVERIFY(page && page->isVisible());
        shot(*page, QStringLiteral("settings"));
        page->resize(page->minimumSizeHint()); // as on a low screen
        page->layout()->activate();
        for (const char* id : {"settingUnit", "settingBase", "settingTimeLimit"})
            QCOMPARE(page->findChild<QWidget*>(QLatin1String(id))->height(),
                     page->findChild<QWidget*>(QStringLiteral("settingTheme"))->height());
        const auto choose = [&](const char* id, int index) {
            auto* box = page->findChild<QComboBox*>(QLatin1String(id));
            box->setCurrentIndex(index);
            Q_EMIT box->activated(index);
        };
        choose("settingTheme", int(ThemeMode::light));
        QCOMPARE(desk.look.mode(), ThemeMode::light);
        choose("settingUnit", 1);
        choose("settingBase", 0);
        QCOMPARE(desk.workspace().numbers().unit, NumberFormat::Unit::kibibytes);
        QVERIFY(!desk.workspace().numbers().hexAddresses);
        auto* limit = page->findChild<QDoubleSpinBox*>(QStringLiteral("settingTimeLimit"));
        limit->setValue(7.5);
        QCOMPARE(desk.workspace().planners().timeLimitSeconds(), 7.5);
        // Typed key by key: what each key sets does not write over what is being typed.
        limit->selectAll();
        QTest::keyClicks(limit, QStringLiteral("12.5"));
        QCOMPARE(limit->text(), QStringLiteral("12.5 s"));
        QCOMPARE(desk.workspace().planners().timeLimitSeconds(), 12.5);
        page->findChild<QCheckBox*>(QStringLiteral("settingReload"))->setChecked(true);
        QVERIFY(desk.window->fileWatch().reloads());
        page->findChild<QCheckBox*>(QStringLiteral("settingReopen"))->setChecked(false);
        QVERIFY(!QSettings().value(QLatin1String(settings::reopenLast), true).toBool());
        // What changes elsewhere is seen in the page.
        desk.workspace().setNumbers({NumberFormat::Unit::words, true});
        QCOMPARE(page->findChild<QComboBox*>(QStringLiteral("settingUnit"))->currentIndex(), 2);
        QCOMPARE(page->findChild<QComboBox*>(QStringLiteral("settingBase"))->currentIndex(), 1);
        // Panels come back.
        desk.trigger("view.sidebar");
        QVERIFY(!desk.find<QWidget>("sidebar")->isVisible());
        page->findChild<QPushButton*>(QStringLiteral("resetPanels"))->click();
        QTRY_VERIFY(desk.find<QWidget>("sidebar")->isVisible());
    }

    void theOpenDialogSaysWhatAFileIs()
    {
        Session session;
        const auto kind = [&](const QString& path) { return previewOf(path, session.importers()).kind; };
        const FilePreview program = previewOf(test::sample("resnet18"), session.importers());
        QCOMPARE(program.kind, QStringLiteral("Stowage program"));
        QVERIFY(program.readable && program.head.startsWith(u'{') && program.facts.contains(QStringLiteral("B, written ")));
        QVERIFY(kind(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/tflite/doorbell.tflite"))
                    .contains(QStringLiteral("TensorFlow Lite")));
        QVERIFY(previewOf(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/tflite/doorbell.tflite"), session.importers())
                    .head.isEmpty());
        QVERIFY(kind(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/targets/cortex-m7.json")).contains(QStringLiteral("target")));
        QVERIFY(!previewOf(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/icons/stowage.svg"), session.importers()).readable);
        QVERIFY(!previewOf(QStringLiteral("/no/such/file.csv"), session.importers()).readable);
        OpenDialog dialog(session.importers(), QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples"));
        dialog.show();
        dialog.preview(test::sample("resnet18"));
        QCOMPARE(dialog.findChild<QLabel*>(QStringLiteral("previewKind"))->text(), QStringLiteral("Stowage program"));
        shot(dialog, QStringLiteral("open"));
    }

    void theTourGoesThroughTheWindow()
    {
        Desk desk;
        desk.trigger("help.tour");
        auto* tour = desk.find<Tour>();
        QVERIFY(tour && tour->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 30'000); // it opened a sample
        QVERIFY(tour->count() >= 5 && tour->count() <= 8);                       // ten seconds each
        for (int i = 0; i < tour->count(); ++i) {
            QTRY_COMPARE(tour->stop(), i);
            QTest::qWait(20);
            QVERIFY2(desk.window->rect().contains(tour->geometry()), qPrintable(QString::number(i)));
            tour->findChild<QPushButton*>(QStringLiteral("tourNext"))->click();
        }
        QVERIFY(!tour->isVisible());
        QVERIFY(desk.workspace().selection().buffer() != none); // "why this high" selected the top
    }

    void theTourIsOfferedOnce()
    {
        Desk desk;
        desk.window->offerTour();
        QPushButton* take = nullptr;
        for (auto* button : desk.window->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == u"Take the tour") take = button;
        QVERIFY(take);
        take->click();
        QVERIFY(desk.find<Tour>() && desk.find<Tour>()->isVisible());
        Desk again;
        again.window->offerTour();
        for (auto* button : again.window->findChildren<QPushButton*>())
            QVERIFY(!button->isVisible() || button->text() != u"Take the tour");
    }

    /// At the first start app/run.sh opens a sample: the tour is offered over it, but not over a file of the user's own.
    void theTourIsOfferedOverASample()
    {
        const auto offered = [](Desk& desk) {
            desk.window->offerTour();
            return std::ranges::any_of(desk.window->findChildren<QPushButton*>(), [](const QPushButton* button) {
                return button->isVisible() && button->text() == u"Take the tour";
            });
        };
        {
            const QTemporaryDir folder;
            const QString own = folder.filePath(QStringLiteral("own.json"));
            QVERIFY(QFile::copy(test::sample("mobilenet_v1_025"), own));
            Desk desk;
            desk.window->openFiles({own});
            QVERIFY(!offered(desk)); // while it is read
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
            QVERIFY(!offered(desk));
        }
        {
            QTemporaryDir folder;
            const QString suite = test::writtenFile(
                folder, QStringLiteral("own.suite.json"),
                R"({"format": "stowage.suite/1", "name": "own", "rows": [{"model": "own.csv", "planners": ["naive"]}]})");
            Desk desk;
            desk.window->openFiles({suite});
            QCOMPARE(desk.workspace().suite(), suite);
            QVERIFY(!offered(desk));
        }
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        QVERIFY(offered(desk));
    }

    /// What the seed promises ends where a time limit does.
    void theSeedSaysThatATimeLimitCounts()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        const auto* seed = desk.find<QLineEdit>("option:seed");
        QVERIFY(seed && seed->toolTip().contains(QStringLiteral("unless the time limit")));
    }

    void everyActionAndPictureHasAnAccessibleName()
    {
        Desk desk;
        QVERIFY(desk.open("microcontroller_two_memories"));
        for (const ActionRegistry::Entry& entry : desk.window->actions().entries()) {
            if (!entry.action) continue;
            QVERIFY2(!entry.action->text().isEmpty() && !entry.action->toolTip().isEmpty(), qPrintable(entry.id));
        }
        for (const ViewEntry& entry : viewEntries()) {
            if (entry.applies && !entry.applies(desk.workspace())) continue;
            desk.trigger(qPrintable(QStringLiteral("view.") + QLatin1String(entry.id)));
            QTest::qWait(20);
            for (auto* canvas : desk.window->findChildren<Canvas*>()) {
                if (!canvas->isVisible()) continue;
                QVERIFY2(!canvas->accessibleName().isEmpty(), entry.id);
                if (!canvas->scene() || !canvas->scene()->run) continue;
                const Run& run = *canvas->scene()->run;
                QVERIFY2(canvas->accessibleDescription().contains(QString::fromStdString(run.plan.planner)), entry.id);
                QVERIFY2(canvas->accessibleDescription().contains(QString::fromUtf8(verdictWord(run)), Qt::CaseInsensitive),
                         qPrintable(canvas->accessibleDescription()));
                // Pictures of something else than the places say that first.
                static const std::set<QByteArray> others{"heatmap", "usage", "graph"};
                QVERIFY2(others.contains(entry.id) == !canvas->accessibleDescription().startsWith(QStringLiteral("plan of")),
                         qPrintable(canvas->accessibleDescription()));
            }
        }
        desk.trigger("view.usage");
        QVERIFY2(desk.window->views().currentView()->canvas()->accessibleDescription().contains(
                     QStringLiteral("dtcm: 16,000 B, at most 16,000 B live at step 2; sram: 2,304 B")),
                 qPrintable(desk.window->views().currentView()->canvas()->accessibleDescription()));
        // What is chosen is said beside what it is chosen for, and takes neither its name nor its tool tip.
        desk.trigger("view.memory-map");
        auto* colours = desk.find<ChoiceButton>("colourBy");
        QCOMPARE(colours->accessibleName(), QStringLiteral("Colour by"));
        QCOMPARE(colours->accessibleDescription(), colours->text());
        QVERIFY(!colours->toolTip().isEmpty());
        // A row says what stands in it.
        auto* planners = desk.find<QListView>("plannerList");
        QVERIFY(planners);
        const QString said = planners->model()->index(0, 0).data(Qt::AccessibleDescriptionRole).toString();
        QVERIFY2(said.contains(planners->model()->index(0, 0).data(PlannerList::SizeRole).toString()), qPrintable(said));

        // What a picture says follows the selection.
        desk.trigger("view.memory-map");
        auto* canvas = desk.window->views().currentView()->canvas();
        desk.workspace().selection().select(0);
        QVERIFY(canvas->accessibleDescription().contains(
            QString::fromStdString(desk.workspace().run()->problem().buffers.front().name)));
    }

    /// Every view with a model that fills it, every page, card and dialog.
    void everythingWorksByKeyboardAndForScreenReaders_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("shown"); ///< views; or the action that opens a card or a dialog
        const auto row = [](const char* name, const char* file, const QStringList& shown) {
            QTest::newRow(name) << QString::fromLatin1(file) << shown;
        };
        QStringList views;
        for (const ViewEntry& entry : viewEntries()) views << QStringLiteral("view.") + QLatin1String(entry.id);
        row("views", "microcontroller_two_memories.json", views);
        row("a kernel that does not fit", "ascend/flash_attention_vector_56.mlir",
            {QStringLiteral("view.memory-map"), QStringLiteral("view.pipes")});
        row("loops", "lstm_loop.json", {QStringLiteral("view.loops")});
        row("folding", "mlp_packed_weights.json", {QStringLiteral("view.fold")});
        row("fit", "tflite/doorbell.tflite", {QStringLiteral("view.fit")});
        row("the first page", "", {QStringLiteral("help.welcome")});
        row("cards", "resnet18.json", {QStringLiteral("plan.reorder"), QStringLiteral("view.diagnostics")});
        for (const char* dialog :
             {"tools.settings", "tools.palette", "help.shortcuts", "help.tour", "help.guide", "file.export-plan", "go.step"})
            row(dialog, "resnet18.json", {QLatin1String(dialog)});
    }

    void everythingWorksByKeyboardAndForScreenReaders()
    {
        QFETCH(QString, file);
        QFETCH(QStringList, shown);
        Desk desk;
        if (!file.isEmpty()) {
            desk.window->openFiles({QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/") + file});
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
        }
        QStringList faults;
        for (const QString& each : shown) {
            const auto entry = std::ranges::find_if(
                viewEntries(), [&](const ViewEntry& view) { return each == QStringLiteral("view.") + QLatin1String(view.id); });
            if (entry != viewEntries().end() && entry->applies && !entry->applies(desk.workspace())) continue;
            desk.trigger(qPrintable(each));
            QTest::qWait(100);
            // What is computed for it comes while the tab key walks, and would take the focus on its way.
            if (each == u"view.fit") QTRY_VERIFY_WITH_TIMEOUT(desk.window->views().currentView()->canvas()->isVisible(), 60'000);
            // A dialog is what is worked with while it is open.
            QWidget* window = desk.window.get();
            for (QWidget* other : QApplication::topLevelWidgets())
                if (other != desk.window.get() && other->isVisible() && other->findChild<QAbstractButton*>()) window = other;
            if (auto* properties = desk.find<QAbstractButton>("poolProperties"); properties && properties->isVisible())
                properties->setChecked(true); // the form of a pool opens
            QTest::qWait(30);
            QWidget* first = nullptr;
            for (auto* widget : window->findChildren<QWidget*>())
                if (!first && takesTab(widget) && widget->window() == window) first = widget;
            QVERIFY2(first, qPrintable(each));
            for (const QString& widget : namelessIn(*window)) faults << each + QStringLiteral(": no name: ") + widget;
            for (const QString& widget : passedOverIn(*window)) faults << each + QStringLiteral(": passed over: ") + widget;
            for (const QString& widget : focusUnseenIn(*window)) faults << each + QStringLiteral(": focus not seen: ") + widget;
            for (const QString& widget : missedByTab(*window, first)) faults << each + QStringLiteral(": not reached: ") + widget;
        }
        for (const QString& fault : faults) qWarning().noquote() << fault;
        QVERIFY2(faults.isEmpty(), qPrintable(QStringLiteral("%1 faults").arg(faults.size())));
    }

    void tabsStayWhereTheyAreWhenPanelsHide()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        auto* tabs = desk.find<QTabBar>("viewTabs");
        QPoint first;
        for (const char* id : {"memory-map", "heatmap", "compare", "replay", "tables"}) {
            desk.trigger(qPrintable(QStringLiteral("view.") + QLatin1String(id)));
            QTest::qWait(30);
            const QPoint at = tabs->mapTo(desk.window.get(), QPoint());
            if (first.isNull()) first = at;
            QCOMPARE(at, first);
        }
        desk.trigger("view.sidebar");
        QTest::qWait(30);
        QCOMPARE(tabs->mapTo(desk.window.get(), QPoint()), first);
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(WindowHelpTest)
#include "tst_window_help.moc"
