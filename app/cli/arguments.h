// Declares the arguments of a command. Wraps CLI11, because its headers take five seconds to compile in each source that includes
// them.
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
    Argument group(const std::string& name);    ///< its heading in --help
    Argument rare();                            ///< shown by --help-all, not by --help
    Argument showDefault();                     ///< --help shows the current value of the variable as default
    Argument showDefault(const std::string& text);
    Argument oneValueEach(); ///< a list takes one value for each occurrence of the option, not all that follow
    Argument excludes(const std::string& other);
    Argument oneOf(std::vector<std::string> choices);
    Argument between(int least, int most);
    Argument between(double least, double most);
    Argument notEmpty(); ///< an empty text is an error: often a variable of a script that is not set
    Argument positive();
    Argument notNegative();
    Argument whenGiven(std::function<void()> tell);

private:
    CLI::Option* option_;
};

class Arguments {
public:
    explicit Arguments(CLI::App& app) : app_(app) {}

    /// Declares an option. `names` as in "-o,--output", without dashes for a positional argument. The variable must live until
    /// parsing ends; it keeps its value if the argument is not given.
    Argument option(const std::string& names, std::string& to, const std::string& help = {});
    Argument option(const std::string& names, std::vector<std::string>& to, const std::string& help = {});
    Argument option(const std::string& names, int& to, const std::string& help = {});
    Argument option(const std::string& names, unsigned& to, const std::string& help = {});
    Argument option(const std::string& names, std::int64_t& to, const std::string& help = {});
    Argument option(const std::string& names, std::uint64_t& to, const std::string& help = {});
    Argument option(const std::string& names, double& to, const std::string& help = {});
    Argument flag(const std::string& names, bool& to, const std::string& help);
    void footer(const std::string& text); ///< at the end of --help
    /// Declares a subcommand ("pipeline split"), one of which is required; calls `chosen` when the user names it.
    Arguments command(const std::string& name, const std::string& summary, std::function<void()> chosen);

    /// True for options marked by `Argument::rare`; and their heading in --help-all.
    [[nodiscard]] static bool isRare(const CLI::Option& option);
    [[nodiscard]] static std::string groupOfRare(const CLI::Option& option);

private:
    CLI::App& app_;
};

/// Parses an argument that itself contains arguments. Returns the text of the error; no value without an error.
std::optional<std::string> parseText(const std::string& text, const std::function<void(Arguments&)>& declare);

} // namespace stowage::cli
