#include "tests/screenshot/screenshot.h"

#include "app/desktop/panels/pipeline_pane.h"
#include "app/desktop/shell/action_registry.h"
#include "app/desktop/shell/command_palette.h"
#include "app/desktop/shell/main_window.h"
#include "app/desktop/shell/search_field.h"
#include "app/desktop/shell/view_area.h"
#include "app/desktop/views/compare_view.h"
#include "app/desktop/views/fit_view.h"
#include "app/desktop/views/pipeline_view.h"
#include "app/desktop/views/replay_view.h"
#include "app/desktop/views/robustness_view.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/map_widget.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFrame>
#include <QLineEdit>
#include <QLineF>
#include <QMouseEvent>
#include <QPixmap>
#include <QThread>
#include <QToolButton>

#include <cmath>
#include <cstdio>
#include <functional>

namespace stowage {

namespace {

void waitUntil(const std::function<bool()>& done, int milliseconds)
{
    QElapsedTimer clock;
    clock.start();
    while (!done() && clock.elapsed() < milliseconds) {
        QApplication::processEvents(QEventLoop::AllEvents, 20);
        QThread::msleep(2);
    }
}

/// Drawing in the background, delayed cards and pictures of samples.
void settle(int milliseconds)
{
    waitUntil([] { return false; }, milliseconds);
}

Canvas* shownCanvas(MainWindow& window)
{
    View* view = window.views().currentView();
    return view ? view->canvas() : nullptr;
}

/// `at`, or the nearest point of a grid over the picture under which an object has a card.
QPointF nearestWithCard(const Canvas& canvas, QPointF at)
{
    const Picture& picture = canvas.picture();
    const auto hasCard = [&](QPointF point) { return picture.card(picture.hit(point)).has_value(); };
    if (!canvas.scene() || hasCard(at)) return at;
    constexpr int spacing = 6; // logical pixels: half a row of the liveness timeline
    QPointF nearest = at;
    double distance = canvas.width() + canvas.height();
    for (int y = 0; y < canvas.height(); y += spacing)
        for (int x = 0; x < canvas.width(); x += spacing)
            if (const double away = QLineF(at, QPointF(x, y)).length(); away < distance && hasCard({double(x), double(y)})) {
                nearest = QPointF(x, y);
                distance = away;
            }
    return nearest;
}

/// The left button is pressed at `from` and still held at `to`.
void holdAndMove(QWidget& widget, const QPointF& from, const QPointF& to)
{
    const auto send = [&](QEvent::Type type, const QPointF& at) {
        QMouseEvent event(type, at, widget.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                          Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&widget, &event);
    };
    send(QEvent::MouseButtonPress, from);
    send(QEvent::MouseMove, (from + to) / 2);
    send(QEvent::MouseMove, to);
}

} // namespace

const QWidget* listOverWindow(const MainWindow& window)
{
    for (const QFrame* frame : window.findChildren<QFrame*>())
        if (frame->isVisible() && frame->property("surface") == QStringLiteral("popup")) return frame;
    return nullptr;
}

void bringAbout(MainWindow& window, const QString& state)
{
    Workspace& workspace = window.workspace();
    const auto idle = [&] { return workspace.models().opening().empty() && !workspace.busy(); };
    const auto argument = [&] { return state.mid(state.indexOf(u':') + 1); };
    if (state == u"palette" || state.startsWith(QStringLiteral("palette:"))) {
        window.actions().action(QStringLiteral("tools.palette"))->trigger();
        if (state.contains(u':')) window.findChild<CommandPalette*>()->findChild<QLineEdit*>()->setText(argument());
    } else if (state == u"shortcuts")
        window.actions().action(QStringLiteral("help.shortcuts"))->trigger();
    else if (state == u"diagnostics")
        window.actions().action(QStringLiteral("view.diagnostics"))->trigger();
    else if (state.startsWith(QStringLiteral("action:")))
        window.actions().action(argument())->trigger();
    else if (state == u"top")
        workspace.shown().selectTop(none);
    else if (state == u"local-first")
        window.actions().action(QStringLiteral("compare.local-first"))->trigger();
    else if (state == u"properties") {
        if (auto* button = window.findChild<QToolButton*>(QStringLiteral("poolProperties"))) button->click();
    } else if (state.startsWith(QStringLiteral("capacity:"))) {
        workspace.edits().setCapacity(0, parseBytes(argument()));
    } else if (state.startsWith(QStringLiteral("press:"))) {
        const auto buttons = window.findChildren<QAbstractButton*>(argument());
        for (QAbstractButton* button : buttons)
            if (button->isVisible()) {
                button->click();
                break;
            }
    } else if (state.startsWith(QStringLiteral("hover:"))) {
        // "hover:pipeLanes,40,12": the pointer rests there, in per cent of the widget's sides; "canvas": that of the view, where
        // it rests on the nearest object that has a card.
        const QStringList words = argument().split(u',');
        const Canvas* canvas = words[0] == u"canvas" ? shownCanvas(window) : nullptr;
        if (QWidget* widget = words.size() != 3       ? nullptr
                              : words[0] == u"canvas" ? shownCanvas(window)
                                                      : window.findChild<QWidget*>(words[0])) {
            QPointF at(widget->width() * words[1].toDouble() / 100, widget->height() * words[2].toDouble() / 100);
            if (canvas) at = nearestWithCard(*canvas, at);
            QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
            QCoreApplication::sendEvent(widget, &move);
            settle(400);
        }
    } else if (state.startsWith(QStringLiteral("area:"))) {
        // "area:20,30,60,70": dragged out in the view's picture, from a corner to the other, in per cent of its sides.
        const QStringList words = argument().split(u',');
        if (Canvas* canvas = shownCanvas(window); canvas && words.size() == 4) {
            const auto corner = [&](int at) {
                return QPointF(std::round(canvas->width() * words[at].toDouble() / 100),
                               std::round(canvas->height() * words[at + 1].toDouble() / 100));
            };
            holdAndMove(*canvas, corner(0), corner(2));
            QMouseEvent release(QEvent::MouseButtonRelease, corner(2), canvas->mapToGlobal(corner(2)), Qt::LeftButton,
                                Qt::NoButton, Qt::NoModifier);
            QCoreApplication::sendEvent(canvas, &release);
            settle(100);
        }
    } else if (state.startsWith(QStringLiteral("unit:"))) {
        // "unit:1": as `NumberFormat::Unit`.
        workspace.setNumbers({NumberFormat::Unit(argument().toInt()), workspace.numbers().hexAddresses});
    } else if (state.startsWith(QStringLiteral("filter:"))) {
        // "filter:size>4K": as written in the search field, which stays empty.
        workspace.selection().setFilter(parseSearch(argument()).filter);
        waitUntil([&] { return workspace.selection().mask() != nullptr; }, 10'000);
    } else if (state.startsWith(QStringLiteral("plan:"))) {
        const std::string planner = argument().toStdString();
        workspace.plannings().planOnly(planner);
        waitUntil(idle, 120'000);
        if (const RunEntry* run = workspace.shown().runOf(planner)) workspace.showRun(run->id);
        settle(400);
    } else if (state.startsWith(QStringLiteral("planning:"))) {
        // As `plan`, while it is under way; without a limit, so that it does not end before the picture is taken.
        workspace.planners().setTimeLimitSeconds(0);
        workspace.plannings().planOnly(argument().toStdString());
        waitUntil([&] { return workspace.shown().showsIncumbent(); }, 10'000);
        settle(400);
    } else if (state.startsWith(QStringLiteral("option:"))) {
        // "option:kind=interference": of the picture of the view that is shown.
        Canvas* canvas = shownCanvas(window);
        if (canvas && canvas->setOption(argument().section(u'=', 0, 0), argument().section(u'=', 1)))
            waitUntil([&] { return canvas->settled(); }, 60'000);
    } else if (state.startsWith(QStringLiteral("record:"))) {
        // The shown run's planner again, at a share of its recorded steps.
        workspace.plannings().planRecorded(workspace.run() ? workspace.run()->plan.planner : workspace.planners().focus());
        waitUntil(idle, 120'000);
        settle(300);
        if (auto* view = dynamic_cast<ReplayView*>(window.views().currentView()); view && view->replayed())
            view->player().seek(std::size_t(double(view->replayed()->steps()) * argument().toDouble() / 100));
    } else if (state == u"fit" || state.startsWith(QStringLiteral("log:"))) {
        // "log:FILE": a log of the runtime, beside the model.
        auto* view = dynamic_cast<FitView*>(window.views().currentView());
        if (state != u"fit") window.workspace().beside().openRuntimeLog(state.mid(4));
        waitUntil([&] { return view && view->fit() && (state == u"fit" || view->fit()->log); }, 120'000);
    } else if (state.startsWith(QStringLiteral("runs-as:"))) {
        // "runs-as:0": as `RunCharts::Kind`; -1: as a table.
        if (auto* view = dynamic_cast<CompareView*>(window.views().currentView())) view->showRunsAs(argument().toInt());
        settle(300);
    } else if (state.startsWith(QStringLiteral("changes-since:"))) {
        // "changes-since:FILE": opens it as another revision, and turns back to the model that was shown.
        const int shown = workspace.modelId();
        const std::size_t before = workspace.session().models().size();
        window.openFiles({argument()});
        waitUntil([&] { return workspace.session().models().size() > before && idle(); }, 120'000);
        const int other = workspace.modelId();
        workspace.setModel(shown);
        waitUntil(idle, 120'000);
        if (auto* view = dynamic_cast<CompareView*>(window.views().currentView())) view->compareWithModel(other);
        settle(300);
    } else if (state == u"robustness") {
        if (auto* view = dynamic_cast<RobustnessView*>(window.views().currentView())) {
            view->start();
            waitUntil([&] { return !view->desk().running(); }, 120'000);
        }
    } else if (auto* pipeline = dynamic_cast<PipelineView*>(window.views().currentView());
               pipeline && state.startsWith(QStringLiteral("devices:"))) {
        pipeline->desk().chooseDevices(argument());
        waitUntil([&] { return !pipeline->desk().splitting() && pipeline->canvas()->settled(); }, 120'000);
        waitUntil([&] { return !pipeline->desk().findsCurve(); }, 120'000);
    } else if (pipeline && state.startsWith(QStringLiteral("trace:"))) {
        waitUntil([&] { return !pipeline->desk().splitting() && pipeline->desk().answer(); }, 120'000);
        pipeline->desk().showMeasured(argument());
        waitUntil([&] { return !pipeline->desk().splitting() && !pipeline->desk().findsCurve(); }, 120'000);
    } else if (pipeline && state.startsWith(QStringLiteral("chart:"))) {
        // A low view has closed the pane.
        if (auto* open = window.findChild<QAbstractButton*>(QStringLiteral("pipelinePane")); open && pipeline->pane().isHidden())
            open->click();
        pipeline->pane().setChart(PipelinePane::Chart(argument().toInt()));
        waitUntil([&] { return !pipeline->desk().findsCurve(); }, 120'000);
    } else if (pipeline && state.startsWith(QStringLiteral("selected:"))) {
        // "selected:2,-1,-1": a stage, a frame, a connection; -1: none.
        const QStringList words = argument().split(u',');
        if (words.size() == 3) workspace.pipeline().select({words[0].toInt(), words[1].toInt(), words[2].toInt()});
        settle(200);
    } else if (pipeline && state.startsWith(QStringLiteral("border:"))) {
        // "border:1,-2": a border is held that number of ops further.
        const OpStripLayout& ops = pipeline->pipelinePicture().opsLayout();
        const auto border = std::size_t(argument().section(u',', 0, 0).toInt());
        const QPointF from(ops.borders.at(border), ops.area.center().y());
        holdAndMove(*pipeline->canvas(), from, from + QPointF(argument().section(u',', 1).toDouble() * ops.opWidth, 0));
        settle(600);
    } else if (auto* map = dynamic_cast<MapWidget*>(shownCanvas(window)); map && state.startsWith(QStringLiteral("drag:"))) {
        // "drag:4096": the selected buffer is held over that address.
        const BufferId buffer = workspace.selection().buffer();
        const StackGeometry geometry{map->state()->state(), map->bands()};
        const QPointF from = map->boxOf(buffer).center();
        const Bytes before = map->run()->plan.placements.at(std::size_t(buffer)).offset;
        const double down = geometry.y(0, argument().toLongLong()) - geometry.y(0, before);
        holdAndMove(*map, from, from + QPointF(0, down));
        settle(300);
    } else if (state.startsWith(QStringLiteral("search:"))) {
        auto* search = window.findChild<SearchField*>();
        waitUntil(
            [&] {
                window.activateWindow();
                search->setFocus();
                return search->hasFocus();
            },
            5'000);
        search->setText(argument());
        Q_EMIT search->textEdited(search->text());
        waitUntil([&] { return listOverWindow(window) != nullptr; }, 5'000);
    }
    if (state == u"local-first" || state.startsWith(QStringLiteral("capacity:")) || state.startsWith(QStringLiteral("press:"))) {
        waitUntil(idle, 120'000);
        settle(600);
    }
}

int takeScreenshot(MainWindow& window, const ScreenshotRequest& request, const QStringList& files)
{
    window.resize(request.size);
    window.show();
    Workspace& workspace = window.workspace();
    std::size_t reported = 0;
    QObject::connect(&workspace, &Workspace::noticed, &window, [&reported] { ++reported; });
    window.openFiles(files);
    const auto idle = [&] {
        return workspace.models().opening().empty() && !workspace.busy() &&
               (reported > 0 || workspace.session().models().size() >= std::size_t(files.size()));
    };
    if (request.state == u"busy")
        waitUntil([&] { return workspace.busy() && workspace.run(); }, 60'000);
    else
        waitUntil(idle, 120'000);
    if (!request.planner.isEmpty())
        if (const RunEntry* run = workspace.shown().runOf(request.planner.toStdString())) workspace.showRun(run->id);
    if (const auto run = workspace.run(); run && !request.select.isEmpty()) {
        for (std::size_t i = 0; i < run->problem().buffers.size(); ++i)
            if (run->problem().buffers[i].name == request.select.toStdString()) workspace.selection().select(BufferId(i));
    }
    settle(request.state == u"busy" ? 450 : 700);
    for (const QString& state : request.state.split(u';', Qt::SkipEmptyParts)) bringAbout(window, state);
    settle(250);
    if (!window.grab().save(request.file)) {
        std::fprintf(stderr, "stowage-screenshot: %s could not be written\n", qPrintable(request.file));
        return 2;
    }
    workspace.cancel();
    return 0;
}

} // namespace stowage
