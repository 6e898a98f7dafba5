#include "app/cli/command_line.h"

#include "app/session/build_id.h"
#include "core/io/output_file.h"
#include "core/ir/neighbours.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

namespace stowage::cli {

namespace {

/// The arguments in reverse order, as CLI11 requires. The design document of TVM's memory planner writes a blank after the equals
/// sign of its flags; then the next argument is the value.
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

int say(const Error& error)
{
    std::fputs((toText(error) + '\n').c_str(), stderr);
    return badInput;
}

int print(const std::string& text)
{
    if (const auto error = io::writeStandardOutput(text)) return say(*error);
    return done;
}

/// The option names of `app`; with `all` including rare options.
std::vector<std::string> optionNames(CLI::App& app, bool all)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        if (all || !Arguments::isRare(*option))
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

/// Shows rare options under their heading, or hides them. Returns their number.
int showRare(CLI::App& app, bool shown)
{
    int rare = 0;
    for (CLI::Option* option : app.get_options())
        if (Arguments::isRare(*option)) {
            option->group(shown ? Arguments::groupOfRare(*option) : std::string());
            ++rare;
        }
    return rare;
}

std::string helpOf(CLI::App& app, CLI::App* command, bool all)
{
    for (CLI::App* each : app.get_subcommands({})) {
        const int hidden = showRare(*each, all);
        if (each == command && !all && hidden > 0)
            each->footer(fmt::format("{}\n'stowage-cli {} --help-all' shows {} further options.", each->get_footer(),
                                     each->get_name(), hidden));
    }
    return app.help({}, all ? CLI::AppFormatMode::All : CLI::AppFormatMode::Normal);
}

/// The error for arguments that no option takes.
Error unexpected(CLI::App& app, CLI::App* command)
{
    CLI::App& owner = command ? *command : app;
    std::vector<std::string> extras = owner.remaining();
    if (extras.empty()) extras = app.remaining(true);
    const auto option =
        std::ranges::find_if(extras, [](const std::string& text) { return text.size() > 1 && text.front() == '-'; });
    const std::string name = command ? command->get_name() : "stowage-cli";
    if (option == extras.end())
        return usage(fmt::format("{} does not take '{}'", name, extras.empty() ? std::string() : extras.front()),
                     fmt::format("'stowage-cli {} --help' shows its arguments", command ? name : ""));
    const std::string typed = option->substr(0, option->find('='));
    std::string remedy;
    for (const std::string& near : neighbours(typed, optionNames(owner, true)))
        remedy += (remedy.empty() ? "did you mean '" : " or '") + near + "'";
    return usage(fmt::format("{} has no option '{}'", name, typed),
                 fmt::format("{}{}its options are: {}; --help-all shows rare ones too", remedy, remedy.empty() ? "" : "? ",
                             fmt::join(optionNames(owner, false), ", ")));
}

std::string footerOf(const Command& command, const CLI::App& app)
{
    std::string text;
    for (const std::string& example : command.examples())
        text += fmt::format("{}  stowage-cli {}\n", text.empty() ? "Examples:\n" : "", example);
    const std::string own = app.get_footer();
    return own.empty() ? text : text + "\n" + own;
}

} // namespace

std::variant<Command*, int> parseCommandLine(std::span<const std::unique_ptr<Command>> commands, int argc, char** argv,
                                             PluginFlags& plugins)
{
    CLI::App app("Static memory planning: plans, compares, checks and draws the offsets of a model's buffers.", "stowage-cli");
    // The hash of the core library takes longer than the rest of the start, so it is computed only for --version.
    const auto version = [] { return fmt::format("stowage {} (core {})", programVersion(), buildId()); };
    app.set_version_flag("--version", version);
    app.set_help_flag("-h,--help", "show the usual options and examples");
    app.set_help_all_flag("--help-all", "show every option");
    app.require_subcommand(1);
    app.footer("Exit status: 0 done and valid, 1 the answer is no, 2 bad usage or input, 3 stopped by a limit before a\n"
               "decision, 130 interrupted. 'stowage-cli COMMAND --help' shows the options of a command.");

    Command* chosen = nullptr;
    std::vector<std::string> names;
    for (const auto& command : commands) names.push_back(command->name());
    // Options are declared only of the command that is named, if one is: of all they take as long as planning a small file.
    const bool one = argc > 1 && std::ranges::find(names, std::string(argv[1])) != names.end();
    CLI::App* named = nullptr;
    for (const auto& command : commands) {
        CLI::App* sub = app.add_subcommand(command->name(), command->summary());
        if (one && command->name() != argv[1]) continue;
        Arguments arguments(*sub);
        command->declare(arguments);
        arguments.option("--plugin-dir", plugins.folders, "look for plug-ins in this folder first; repeatable")
            .typeName("DIR")
            .group("Plug-ins")
            .oneValueEach()
            .rare();
        arguments.flag("--safe-mode", plugins.safeMode, "use no plug-in").group("Plug-ins").rare();
        sub->footer(footerOf(*command, *sub));
        sub->callback([&chosen, &command] { chosen = command.get(); });
        if (one) named = sub;
    }
    CLI::App* const sub = named;
    if (argc > 1 && argv[1][0] != '-' && !sub)
        return say(usage(fmt::format("there is no command '{}'", argv[1]), suggestion(argv[1], names, "commands")));
    if (argc == 1) return say(usage("a command is missing", suggestion({}, names, "commands")));
    try {
        app.parse(argumentsOf(argc, argv));
    } catch (const CLI::CallForHelp&) {
        return print(helpOf(app, sub, false));
    } catch (const CLI::CallForAllHelp&) {
        return print(helpOf(app, sub, true));
    } catch (const CLI::CallForVersion&) {
        return print(version() + "\n");
    } catch (const CLI::ExtrasError&) {
        return say(unexpected(app, sub));
    } catch (const CLI::ArgumentMismatch& error) {
        for (const CLI::Option* option : sub ? sub->get_options() : std::vector<CLI::Option*>())
            if (option->get_items_expected_max() == 1 && option->count() > 1)
                return say(usage(fmt::format("{} is given {} times", option->get_name(), option->count()), "give it once"));
        return say(usage(error.what(), sub ? fmt::format("'stowage-cli {} --help' shows its options", sub->get_name()) : ""));
    } catch (const CLI::ParseError& error) {
        return say(usage(error.what(), sub ? fmt::format("'stowage-cli {} --help' shows its options", sub->get_name())
                                           : suggestion({}, names, "commands")));
    }
    return chosen;
}

} // namespace stowage::cli
