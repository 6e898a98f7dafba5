// `bench_window [--buffers N] [FILE]`: the real window without a screen. From the argument to the first picture of a plan, from
// the plan to its picture, frames while the map is panned and zoomed, from a filter to the frame that shows it, and a key in the
// palette; peak memory of the process. Without a file: N random buffers (1,000,000 by default). With two files or sizes run it
// twice: memory is that of the process.
#include "app/desktop/shell/command_palette.h"
#include "app/desktop/shell/view_area.h"
#include "app/desktop/widgets/canvas.h"
#include "tests/bench/peer.h"
#include "tests/desktop/desk.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QLineEdit>
#include <QWheelEvent>

#include <cstdio>
#include <fstream>
#include <random>
#include <string>

using namespace stowage;

namespace {

double peakMebibytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) / 1024;
    return 0;
}

/// Buffers that live for 1 to 40 of N / 5 steps.
void writeModel(const QString& name, long buffers)
{
    QFile file(name);
    if (!file.open(QIODevice::WriteOnly)) return;
    std::mt19937 random(1);
    file.write("id,lower,upper,size\n");
    for (long i = 0; i < buffers; ++i) {
        const long begin = i / 5, end = begin + 1 + long(random() % 40);
        file.write(QByteArray::number(qlonglong(i)) + ',' + QByteArray::number(qlonglong(begin)) + ',' +
                   QByteArray::number(qlonglong(end)) + ',' +
                   QByteArray::number(qlonglong((64 + random() % 64) << (random() % 14))) + '\n');
    }
}

struct Frames {
    std::vector<double> times;
    void time(Canvas& canvas)
    {
        const double start = test::processorSeconds();
        canvas.repaint();
        times.push_back(test::processorSeconds() - start);
    }
    void print(const char* name)
    {
        std::sort(times.begin(), times.end());
        std::printf("%-28s median %.1f ms, worst %.1f ms of %zu frames\n", name, times[times.size() / 2] * 1e3,
                    times.back() * 1e3, times.size());
    }
};

void wheel(Canvas& canvas, int delta, Qt::KeyboardModifiers keys)
{
    const QPointF at = canvas.rect().center();
    QWheelEvent event(at, canvas.mapToGlobal(at), QPoint(), QPoint(0, delta), Qt::NoButton, keys, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&canvas, &event);
}

} // namespace

int main(int argc, char** argv)
{
    QElapsedTimer clock;
    clock.start();
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const test::OwnSettings settings;
    QTemporaryDir folder;
    long buffers = 1'000'000;
    QString file;
    const QStringList words = QApplication::arguments();
    for (int i = 1; i < words.size(); ++i) {
        if (words[i] == u"--buffers" && i + 1 < words.size())
            buffers = words[++i].toLong();
        else
            file = words[i];
    }
    if (file.isEmpty()) {
        writeModel(file = folder.filePath(QStringLiteral("random.csv")), buffers);
        clock.restart();
    }

    test::Desk desk;
    desk.window->resize(1600, 900);
    QCoreApplication::processEvents();
    std::printf("%-28s %.0f ms\n", "window", double(clock.nsecsElapsed()) / 1e6);
    double planned = 0;
    QObject::connect(&desk.workspace(), &Workspace::contextChanged, desk.window.get(), [&] {
        if (planned == 0 && desk.workspace().run()) planned = double(clock.nsecsElapsed()) / 1e6;
    });
    desk.window->openFiles({file});
    Canvas* canvas = nullptr;
    const bool shown = QTest::qWaitFor(
        [&] {
            View* const view = desk.window->views().currentView();
            canvas = view ? view->canvas() : nullptr;
            return canvas && canvas->scene() && canvas->settled();
        },
        3'600'000);
    if (!shown) return std::fprintf(stderr, "bench_window: no picture of %s\n", qPrintable(file)), 1;
    std::printf("%-28s %.0f ms\n", "first run", planned);
    std::printf("%-28s %.0f ms\n", "argument to first picture", double(clock.nsecsElapsed()) / 1e6);
    (void)QTest::qWaitFor([&] { return desk.idle(); }, 3'600'000);
    std::printf("%-28s %.0f ms\n", "all planners done", double(clock.nsecsElapsed()) / 1e6);
    (void)QTest::qWaitFor([&] { return canvas->scene() && canvas->settled(); }, 600'000);
    std::printf("%-28s %.0f MiB\n", "peak memory, opened", peakMebibytes());

    Frames zoom, pan;
    for (int i = 0; i < 60; ++i) {
        wheel(*canvas, i % 40 < 20 ? 120 : -120, Qt::NoModifier);
        zoom.time(*canvas);
        QCoreApplication::processEvents();
    }
    for (int i = 0; i < 120; ++i) {
        wheel(*canvas, i % 80 < 40 ? 120 : -120, Qt::ShiftModifier);
        pan.time(*canvas);
        QCoreApplication::processEvents();
    }
    // By the clock: the mask is worked out beside the window's thread, and the user waits for both.
    Frames masked, filtered;
    SelectionModel& selection = desk.workspace().selection();
    for (int round = 0; round < 3; ++round)
        for (const char* text : {"77", "/7\\d+9/", "size>4K", "step:1000-2000", "life>=10"}) {
            QEventLoop waiting;
            QObject::connect(&selection, &SelectionModel::maskChanged, &waiting, &QEventLoop::quit);
            QElapsedTimer asked;
            asked.start();
            selection.setFilter(parseSearch(QString::fromLatin1(text)).filter);
            if (!selection.mask()) waiting.exec();
            canvas->repaint();
            masked.times.push_back(double(asked.nsecsElapsed()) / 1e9);
            while (!canvas->settled()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 1'000);
            canvas->repaint();
            filtered.times.push_back(double(asked.nsecsElapsed()) / 1e9);
            selection.setFilter({});
            (void)QTest::qWaitFor([&] { return !selection.mask() && canvas->settled(); }, 60'000);
        }
    // The window's thread alone: buffers are found beside it.
    Frames typed;
    desk.trigger("tools.palette");
    auto* const input = desk.find<CommandPalette>()->findChild<QLineEdit*>();
    for (int round = 0; round < 5; ++round)
        for (const char* text : {"77", "777", "7777", "plan"}) {
            QElapsedTimer key;
            key.start();
            input->setText(QString::fromLatin1(text));
            typed.times.push_back(double(key.nsecsElapsed()) / 1e9);
            QCoreApplication::processEvents();
        }
    zoom.print("zoom");
    pan.print("pan");
    masked.print("filter to the first frame");
    filtered.print("filter to the whole picture");
    typed.print("key in the palette");
    std::printf("%-28s %.0f MiB\n", "peak memory, panned", peakMebibytes());
    return 0;
}
