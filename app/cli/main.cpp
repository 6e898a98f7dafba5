// stowage-cli: the command line program.
#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "core/ir/shown_text.h"
#include "plugins/host/plugin_host.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QtGlobal>

#include <fmt/format.h>

#include <cstdio>
#include <fcntl.h>
#include <new>
#include <unistd.h>

namespace stowage::cli {

int Environment::fail(const Error& error) const
{
    std::fputs((toText(error) + '\n').c_str(), stderr);
    return badInput;
}

int Environment::fail(const std::string& message) const
{
    return fail(failure(Code::usage, message));
}

void Environment::say(const Diagnostics& diagnostics) const
{
    constexpr std::size_t maxMessages = 12;
    for (std::size_t i = 0; i < diagnostics.size() && i < maxMessages; ++i)
        std::fputs((toText(diagnostics[i]) + '\n').c_str(), stderr);
    if (diagnostics.size() > maxMessages)
        note(fmt::format("… and {} more messages; 'info --format json' shows all", diagnostics.size() - maxMessages));
}

void Environment::note(const std::string& message) const
{
    std::fputs((shownMessage(message) + '\n').c_str(), stderr);
}

namespace {

/// Opens the standard descriptors that are closed: otherwise the next file that is opened takes the place of one, and messages or
/// the result are written into it. /dev/null is opened for the other direction, so that a use is an error as before.
void openStandardDescriptors()
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
}

std::unique_ptr<QCoreApplication> makeApplication(bool draws, int& argc, char** argv)
{
    if (!draws) return std::make_unique<QCoreApplication>(argc, argv);
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") &&
        qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& message) {
        // Ignores warnings about a missing user session, which are usual without a display.
        if (!message.startsWith(QLatin1String("QStandardPaths:"))) std::fputs((message.toStdString() + '\n').c_str(), stderr);
    });
    return std::make_unique<QGuiApplication>(argc, argv);
}

int run(int argc, char** argv)
{
    openStandardDescriptors();
    const auto commands = allCommands();
    PluginFlags flags;
    const auto parsed = parseCommandLine(commands, argc, argv, flags);
    if (const int* status = std::get_if<int>(&parsed)) return *status;
    Command* const chosen = std::get<Command*>(parsed);

    const Interrupt interrupt;
    const auto application = makeApplication(chosen->draws(), argc, argv);
    PluginSettings plugins;
    for (const std::string& folder : flags.folders) plugins.folders += QString::fromLocal8Bit(folder.c_str());
    plugins.safeMode = flags.safeMode;
    const Session session(plugins);
    const Environment environment{session, interrupt.token()};
    int status = badInput;
    try {
        status = chosen->run(environment);
    } catch (const std::bad_alloc&) {
        environment.fail(failure(Code::outOfMemory, "there is not enough memory for this input"));
    }
    return interrupt.token().stop_requested() ? interrupted : status;
}

} // namespace

} // namespace stowage::cli

int main(int argc, char** argv)
{
    return stowage::cli::run(argc, argv);
}
