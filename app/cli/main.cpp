// stowage-cli: the core without a window.
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QtGlobal>

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>

namespace stowage::cli {

int Environment::fail(const Error& error) const
{
    std::fputs((toText(error) + '\n').c_str(), stderr);
    return badInput;
}

int Environment::fail(const std::string& message) const
{
    return fail(failure("usage", message));
}

void Environment::say(const Diagnostics& diagnostics) const
{
    constexpr std::size_t most = 12;
    for (std::size_t i = 0; i < diagnostics.size() && i < most; ++i) std::fputs((toText(diagnostics[i]) + '\n').c_str(), stderr);
    if (diagnostics.size() > most)
        note(fmt::format("… and {} more messages; 'info --format json' shows all", diagnostics.size() - most));
}

void Environment::note(const std::string& message) const
{
    std::fputs((message + '\n').c_str(), stderr);
}

namespace {

std::unique_ptr<QCoreApplication> makeApplication(bool draws, int& argc, char** argv)
{
    if (!draws) return std::make_unique<QCoreApplication>(argc, argv);
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") &&
        qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& message) {
        // Where there is no display, there is often no session either; nobody needs to know.
        if (!message.startsWith(QLatin1String("QStandardPaths:"))) std::fputs((message.toStdString() + '\n').c_str(), stderr);
    });
    return std::make_unique<QGuiApplication>(argc, argv);
}

/// The arguments, the last one first, as CLI11 takes them. The design document of TVM's memory planner writes a blank behind the
/// equals sign of its flags: what follows is the value all the same.
std::vector<std::string> argumentsOf(int argc, char** argv)
{
    std::vector<std::string> arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string_view text(argv[i]);
        const bool open = (text == "--with-workspace-buffer=" || text == "--with-parameter-buffer=") && i + 1 < argc;
        arguments.push_back(open ? std::string(text) + argv[++i] : std::string(text));
    }
    std::reverse(arguments.begin(), arguments.end());
    return arguments;
}

int run(int argc, char** argv)
{
    CLI::App app("Static memory planning: plans, compares, checks and draws where the buffers of a model lie.", "stowage-cli");
    app.set_version_flag("--version", fmt::format("stowage {}", STOWAGE_VERSION));
    app.set_help_flag("-h,--help", "what there is");
    app.require_subcommand(1);
    app.footer("Exit status: 0 done and valid, 1 the answer is no, 2 bad usage or input, 3 stopped by a limit before it could\n"
               "decide, 130 interrupted. 'stowage-cli COMMAND --help' shows the options of a command.");

    const auto commands = allCommands();
    Command* chosen = nullptr;
    for (const auto& command : commands) {
        CLI::App* sub = app.add_subcommand(command->name(), command->summary());
        Arguments arguments(*sub);
        command->declare(arguments);
        sub->callback([&chosen, &command] { chosen = command.get(); });
    }
    const auto named = [&](const auto& command) { return command->name() == argv[1]; };
    if (argc > 1 && argv[1][0] != '-' && std::none_of(commands.begin(), commands.end(), named)) {
        std::string names; // the parser would only say that a command is missing
        for (const auto& command : commands) names += (names.empty() ? "" : ", ") + command->name();
        std::fputs(fmt::format("error: there is no command '{}' (the commands are: {})\n", argv[1], names).c_str(), stderr);
        return badInput;
    }
    try {
        app.parse(argumentsOf(argc, argv));
    } catch (const CLI::ParseError& error) {
        const int status = app.exit(error);
        return status == 0 ? done : badInput;
    }

    const Interrupt interrupt;
    const auto application = makeApplication(chosen->draws(), argc, argv);
    const Session session;
    const Environment environment{session, interrupt.token()};
    int status = badInput;
    try {
        status = chosen->run(environment);
    } catch (const std::bad_alloc&) {
        environment.fail(failure("out-of-memory", "there is not enough memory for this input"));
    }
    return interrupt.token().stop_requested() ? interrupted : status;
}

} // namespace

} // namespace stowage::cli

int main(int argc, char** argv)
{
    return stowage::cli::run(argc, argv);
}
