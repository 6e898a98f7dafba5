#include "app/desktop/screenshot.h"

#include "app/desktop/shell/action_registry.h"
#include "app/desktop/shell/main_window.h"
#include "app/desktop/shell/search_field.h"

#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QPixmap>
#include <QThread>

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

} // namespace

int takeScreenshot(MainWindow& window, const ScreenshotRequest& request, const QStringList& files)
{
    window.resize(request.size);
    window.show();
    Workspace& workspace = window.workspace();
    std::size_t reported = 0;
    QObject::connect(&workspace, &Workspace::noticed, &window, [&reported] { ++reported; });
    window.openFiles(files);
    const auto idle = [&] {
        return workspace.opening().empty() && !workspace.busy() && (reported > 0 || workspace.session().models().size() >= std::size_t(files.size()));
    };
    if (request.state == u"busy") waitUntil([&] { return workspace.busy() && workspace.run(); }, 60'000);
    else waitUntil(idle, 120'000);
    if (!request.planner.isEmpty())
        if (const RunEntry* run = workspace.runOf(request.planner.toStdString())) workspace.showRun(run->id);
    if (const auto run = workspace.run(); run && !request.select.isEmpty()) {
        for (std::size_t i = 0; i < run->problem().buffers.size(); ++i)
            if (run->problem().buffers[i].name == request.select.toStdString()) workspace.selection().select(BufferId(i));
    }
    settle(request.state == u"busy" ? 450 : 700);
    if (request.state == u"palette") window.actions().action(QStringLiteral("tools.palette"))->trigger();
    else if (request.state == u"shortcuts") window.actions().action(QStringLiteral("help.shortcuts"))->trigger();
    else if (request.state == u"diagnostics") window.actions().action(QStringLiteral("view.diagnostics"))->trigger();
    else if (request.state.startsWith(QStringLiteral("search:"))) {
        window.activateWindow();
        auto* search = window.findChild<SearchField*>();
        search->setFocus();
        search->setText(request.state.mid(7));
        Q_EMIT search->textEdited(search->text());
    }
    settle(250);
    if (!window.grab().save(request.file)) {
        std::fprintf(stderr, "stowage: %s could not be written\n", qPrintable(request.file));
        return 2;
    }
    workspace.cancel();
    return 0;
}

} // namespace stowage
