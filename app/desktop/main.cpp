// `stowage`: the window.
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/system_theme.h"
#include "app/desktop/shell/last_window.h"
#include "app/desktop/shell/main_window.h"
#include "app/desktop/shell/settings_dialog.h"
#include "app/desktop/shell/view_area.h"
#include "app/session/build_id.h"
#include "plugins/host/plugin_host.h"
#include "plugins/host/settings_format.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QIcon>
#include <QSettings>
#include <QTimer>

#include <algorithm>
#include <cstdio>

namespace {

struct Arguments {
    QStringList files;
    std::optional<stowage::ThemeMode> theme;
    QString view;
    bool measureStartup = false;
    QStringList pluginFolders;
    bool safeMode = false;
    QString error;
};

Arguments readArguments(const QStringList& words, QCommandLineParser& parser)
{
    parser.setApplicationDescription(QStringLiteral("Workbench for static memory planning"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("dark, light or system"), QStringLiteral("name"));
    QStringList views;
    for (const stowage::ViewEntry& entry : stowage::viewEntries()) views << QString::fromLatin1(entry.id);
    const QCommandLineOption view(QStringLiteral("view"),
                                  QStringLiteral("View to open first: ") + views.join(QStringLiteral(", ")),
                                  QStringLiteral("name"));
    const QCommandLineOption plugins(QStringLiteral("plugin-dir"),
                                     QStringLiteral("Look for plug-ins in this folder first; may be repeated"),
                                     QStringLiteral("folder"));
    const QCommandLineOption safe(QStringLiteral("safe-mode"), QStringLiteral("Use no plug-in"));
    parser.addOption(plugins);
    parser.addOption(safe);
    parser.addOption(theme);
    parser.addOption(view);
    QCommandLineOption measure(QStringLiteral("measure-startup"));
    measure.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(measure);
    // Qt's own would add --help-all, which asks for Qt's options too and opened a window.
    parser.addOption({{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Show this help")});
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("file"), QStringLiteral("Models, sessions and suites to open"),
                                 QStringLiteral("[file…]"));

    Arguments arguments;
    if (!parser.parse(words)) {
        arguments.error = parser.errorText();
        return arguments;
    }
    arguments.files = parser.positionalArguments();
    arguments.pluginFolders = parser.values(plugins);
    arguments.safeMode = parser.isSet(safe);
    arguments.view = parser.value(view);
    arguments.measureStartup = parser.isSet(measure);
    if (const QString name = parser.value(theme); name == u"dark")
        arguments.theme = stowage::ThemeMode::dark;
    else if (name == u"light")
        arguments.theme = stowage::ThemeMode::light;
    else if (name == u"system")
        arguments.theme = stowage::ThemeMode::system;
    else if (!name.isEmpty())
        arguments.error = QStringLiteral("--theme takes dark, light or system");
    return arguments;
}

} // namespace

int main(int count, char** words)
{
    using namespace stowage;
    QElapsedTimer clock;
    clock.start();
    QStringList arguments;
    for (int i = 0; i < count; ++i) arguments << QString::fromLocal8Bit(words[i]);
    QCommandLineParser parser;
    const Arguments asked = readArguments(arguments, parser);

    // What needs no window needs no display either.
    if (!asked.error.isEmpty()) {
        std::fprintf(stderr, "stowage: %s\n", qPrintable(asked.error));
        return 2;
    }
    if (parser.isSet(QStringLiteral("help")) || parser.isSet(QStringLiteral("version"))) {
        const QCoreApplication names(count, words);
        QCoreApplication::setApplicationName(QStringLiteral("stowage"));
        QCoreApplication::setApplicationVersion(QString::fromLatin1(programVersion()));
        if (parser.isSet(QStringLiteral("version"))) parser.showVersion();
        parser.showHelp(0);
    }

    QApplication application(count, words);
    QApplication::setApplicationName(QStringLiteral("stowage"));
    QApplication::setApplicationDisplayName(QStringLiteral("Stowage"));
    QApplication::setOrganizationName(QStringLiteral("stowage"));
    QApplication::setApplicationVersion(QString::fromLatin1(programVersion()));
    QApplication::setDesktopFileName(QStringLiteral("stowage"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/stowage.svg")));
    QSettings::setDefaultFormat(settingsFormat());

    const ThemeMode mode = asked.theme.value_or(
        ThemeMode(std::clamp(QSettings().value(QStringLiteral("look/theme"), int(ThemeMode::system)).toInt(), 0, 2)));
    Look look(application, mode);
    Session session(PluginSettings{asked.pluginFolders, asked.safeMode});
    MainWindow window(session, look);
    if (!asked.view.isEmpty() && !window.views().setCurrent(asked.view)) {
        std::fprintf(stderr, "stowage: there is no view named '%s'\n", qPrintable(asked.view));
        return 2;
    }

    endWithLastWindow(application);
    window.show();
    if (asked.measureStartup) {
        // The event loop comes round once everything shown has been painted.
        QTimer::singleShot(0, &window, [&] {
            application.processEvents();
            std::printf("%.1f ms from main() to the first paint\n", double(clock.nsecsElapsed()) / 1e6);
            QApplication::quit();
        });
    }
    SystemTheme system;
    QObject::connect(&system, &SystemTheme::darkChanged, &look, &Look::setSystemDark);
    QTimer::singleShot(200, &system, &SystemTheme::start);
    window.openFiles(asked.files);
    if (!asked.measureStartup) {
        // What was on the desk when the program ended, also when it was killed.
        if (asked.files.isEmpty() && QSettings().value(QLatin1String(settings::reopenLast), true).toBool()) window.reopenLast();
        QTimer::singleShot(400, &window, &MainWindow::offerTour);
    }
    return QApplication::exec();
}
