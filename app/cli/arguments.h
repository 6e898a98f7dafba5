// The arguments of a command, as it declares them. A door to CLI11, whose headers alone take each source that includes them five
// seconds to compile: only arguments.cpp and main.cpp do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace stowage::cli {

/// One argument. Each method returns the argument itself, so that calls can be chained.
class Argument {
public:
    explicit Argument(CLI::Option* option) : option_(option) {}

    Argument required();
    Argument typeName(const std::string& name); ///< name of the value in --help: "FILE"
    Argument group(const std::string& name);    ///< the heading that it stands under in --help
    Argument rare();                            ///< shown by --help-all, not by --help
    Argument showDefault();                     ///< --help names the value that the variable has now
    Argument showDefault(const std::string& text);
    Argument oneValueEach(); ///< a list takes one value for each time that it is named, not all that follow
    Argument excludes(const std::string& other);
    Argument oneOf(std::vector<std::string> choices);
    Argument between(int least, int most);
    Argument between(double least, double most);
    Argument notEmpty(); ///< an empty text is an error
    Argument positive();
    Argument notNegative();
    Argument whenGiven(std::function<void()> tell);

private:
    CLI::Option* option_;
};

class Arguments {
public:
    explicit Arguments(CLI::App& app) : app_(app) {}

    /// `names` as in "-o,--output", without dashes for one that goes by its position. The variable must live until all is parsed,
    /// and keeps its value where the argument is not given.
    Argument option(const std::string& names, std::string& to, const std::string& help = {});
    Argument option(const std::string& names, std::vector<std::string>& to, const std::string& help = {});
    Argument option(const std::string& names, int& to, const std::string& help = {});
    Argument option(const std::string& names, unsigned& to, const std::string& help = {});
    Argument option(const std::string& names, std::int64_t& to, const std::string& help = {});
    Argument option(const std::string& names, std::uint64_t& to, const std::string& help = {});
    Argument option(const std::string& names, double& to, const std::string& help = {});
    Argument flag(const std::string& names, bool& to, const std::string& help);
    void footer(const std::string& text); ///< at the end of --help
    /// A command of the command's own ("pipeline split"); `chosen` is called when the user names it. One of them has to be named.
    Arguments command(const std::string& name, const std::string& summary, std::function<void()> chosen);

    /// Options that were marked by `Argument::rare`, and the heading that --help-all shows them under.
    [[nodiscard]] static bool isRare(const CLI::Option& option);
    [[nodiscard]] static std::string groupOfRare(const CLI::Option& option);

private:
    CLI::App& app_;
};

/// Parses an argument that contains arguments of its own. Returns the error text, or nothing.
std::optional<std::string> parseText(const std::string& text, const std::function<void(Arguments&)>& declare);

} // namespace stowage::cli
