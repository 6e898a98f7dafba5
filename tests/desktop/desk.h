// A window with its session for a test to drive, with settings of its own.
#pragma once

#include "app/desktop/look/look.h"
#include "app/desktop/shell/action_registry.h"
#include "app/desktop/shell/main_window.h"
#include "app/desktop/shell/view_area.h"
#include "plugins/host/settings_format.h"
#include "tests/support/paths.h"

#include <QAction>
#include <QApplication>
#include <QByteArray>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <cstdint>
#include <memory>
#include <vector>

namespace stowage::test {

inline QString sample(const char* name)
{
    return QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/%1.json").arg(QLatin1String(name));
}

/// A chain of ops from x over a, b and c to y, five buffers. With `inplace=allowed` b is written over a, which leaves four: the
/// others have other ids then, and one of a and b has no buffer of its name.
inline constexpr const char* chainInPlace = R"({"format": "stowage.program/1", "name": "chain", "entry": "main", "functions": [
 {"name": "main", "inputs": ["x"], "outputs": ["y"], "tensors": [
   {"name": "x", "kind": "input", "dtype": "i8", "shape": [64]}, {"name": "a", "dtype": "i8", "shape": [64]},
   {"name": "b", "dtype": "i8", "shape": [64]}, {"name": "c", "dtype": "i8", "shape": [64]},
   {"name": "y", "kind": "output", "dtype": "i8", "shape": [64]}],
  "ops": [{"name": "f", "kind": "f", "inputs": ["x"], "outputs": ["a"]},
          {"name": "turn", "kind": "turn", "inputs": ["a"], "outputs": ["b"], "inplace": [["a", "b"]]},
          {"name": "g", "kind": "g", "inputs": ["b"], "outputs": ["c"]},
          {"name": "h", "kind": "h", "inputs": ["c"], "outputs": ["y"]}]}]})";

/// 300 buffers of odd sizes that overlap much: an exact search goes on for hours.
inline QByteArray longSearch()
{
    QByteArray csv = "id,lower,upper,size\n";
    std::uint32_t random = 12345;
    const auto next = [&](int below) {
        random = random * 1664525 + 1013904223;
        return int((random >> 8) % std::uint32_t(below));
    };
    for (int i = 0; i < 300; ++i) {
        const int begin = next(200);
        const int size = 1 + next(100'000);
        const int end = begin + 5 + next(60);
        csv += QByteArray("b") + QByteArray::number(i) + ',' + QByteArray::number(begin) + ',' + QByteArray::number(end) + ',' +
               QByteArray::number(size) + '\n';
    }
    return csv;
}

/// A window with its session; every test begins with its own.
struct Desk {
    /// `planners`: further ones, which the window has to know from the begin.
    explicit Desk(ThemeMode mode = ThemeMode::dark, const std::vector<std::shared_ptr<const Planner>>& planners = {})
        : look(*qApp, mode)
    {
        for (const auto& planner : planners)
            if (session.addPlanner(planner)) qFatal("a planner of the test has the name of another one");
        window = std::make_unique<MainWindow>(session, look);
        window->resize(1400, 900);
        window->show();
        window->activateWindow();
    }
    [[nodiscard]] Workspace& workspace() { return window->workspace(); }
    [[nodiscard]] bool idle() { return workspace().models().opening().empty() && !workspace().busy(); }
    /// Opens a sample and waits until it is planned.
    [[nodiscard]] bool open(const char* name)
    {
        window->openFiles({sample(name)});
        return QTest::qWaitFor([&] { return idle() && workspace().run(); }, 20'000);
    }
    void trigger(const char* id) { window->actions().action(QString::fromLatin1(id))->trigger(); }
    template <typename Widget>
    [[nodiscard]] Widget* find(const char* name = nullptr)
    {
        return name ? window->findChild<Widget*>(QString::fromLatin1(name)) : window->findChild<Widget*>();
    }
    template <typename Kind>
    Kind* show(const char* view)
    {
        window->views().setCurrent(QString::fromLatin1(view));
        return dynamic_cast<Kind*>(window->views().currentView());
    }

    Look look;
    Session session;
    std::unique_ptr<MainWindow> window;
};

/// Settings that nobody else has. One for each test program, made before the first window.
class OwnSettings {
public:
    OwnSettings()
    {
        QSettings::setDefaultFormat(settingsFormat());
        QSettings::setPath(settingsFormat(), QSettings::UserScope, folder_.path());
        QCoreApplication::setOrganizationName(QStringLiteral("stowage"));
        QCoreApplication::setApplicationName(QStringLiteral("stowage"));
    }

private:
    QTemporaryDir folder_;
};

} // namespace stowage::test
