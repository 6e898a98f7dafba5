// `stowage-screenshot [options] FILE.png [model…]`: writes a picture of the window as it shows the models.
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/shell/main_window.h"
#include "app/desktop/shell/view_area.h"
#include "plugins/host/settings_format.h"
#include "tests/screenshot/screenshot.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QSettings>
#include <QTemporaryDir>

#include <cstdio>

namespace {

int fail(const QString& text)
{
    std::fprintf(stderr, "stowage-screenshot: %s\n", qPrintable(text));
    return 2;
}

} // namespace

int main(int count, char** words)
{
    using namespace stowage;
    QStringList arguments;
    for (int i = 0; i < count; ++i) arguments << QString::fromLocal8Bit(words[i]);
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Writes a picture of the window as it shows the models."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Show this help"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("dark or light"), QStringLiteral("name"),
                                   QStringLiteral("dark"));
    const QCommandLineOption view(QStringLiteral("view"), QStringLiteral("View to show"), QStringLiteral("name"));
    const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Logical pixels"), QStringLiteral("WxH"),
                                  QStringLiteral("1600x1000"));
    const QCommandLineOption scale(QStringLiteral("scale"), QStringLiteral("Device pixels for each logical one"),
                                   QStringLiteral("factor"));
    const QCommandLineOption select(QStringLiteral("select"), QStringLiteral("Buffer to select"), QStringLiteral("name"));
    const QCommandLineOption planner(QStringLiteral("show-run"), QStringLiteral("Planner whose run is shown"),
                                     QStringLiteral("name"));
    const QCommandLineOption state(QStringLiteral("state"), QStringLiteral("States to bring about, with \";\" between them"),
                                   QStringLiteral("names"));
    parser.addOptions({help, theme, view, size, scale, select, planner, state});
    parser.addPositionalArgument(QStringLiteral("picture"), QStringLiteral("PNG file to write"));
    parser.addPositionalArgument(QStringLiteral("model"), QStringLiteral("Models to open"), QStringLiteral("[model…]"));
    if (!parser.parse(arguments)) return fail(parser.errorText());

    // Scale and platform must be known before the application exists.
    if (parser.isSet(scale)) qputenv("QT_SCALE_FACTOR", parser.value(scale).toLatin1());
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(count, words);
    QApplication::setApplicationName(QStringLiteral("stowage"));
    QApplication::setApplicationDisplayName(QStringLiteral("Stowage"));
    QApplication::setOrganizationName(QStringLiteral("stowage"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/stowage.svg")));
    if (parser.isSet(help)) parser.showHelp(0);

    QStringList files = parser.positionalArguments();
    if (files.isEmpty()) return fail(QStringLiteral("name the PNG file to write"));
    ScreenshotRequest request;
    request.file = files.takeFirst();
    request.select = parser.value(select);
    request.planner = parser.value(planner);
    request.state = parser.value(state);
    const QStringList sides = parser.value(size).split(u'x');
    request.size = sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize();
    if (request.size.width() < 100 || request.size.height() < 100) return fail(QStringLiteral("--size takes WIDTHxHEIGHT"));
    const QString themeName = parser.value(theme);
    if (themeName != u"dark" && themeName != u"light") return fail(QStringLiteral("--theme takes dark or light"));

    // The same picture everywhere, and no trace of it in the user's settings.
    const QTemporaryDir nobody;
    QSettings::setDefaultFormat(settingsFormat());
    QSettings::setPath(settingsFormat(), QSettings::UserScope, nobody.path());
    Look look(application, themeName == u"dark" ? ThemeMode::dark : ThemeMode::light);
    Session session;
    MainWindow window(session, look);
    if (parser.isSet(view) && !window.views().setCurrent(parser.value(view)))
        return fail(QStringLiteral("there is no view named '%1'").arg(parser.value(view)));
    return takeScreenshot(window, request, files);
}
