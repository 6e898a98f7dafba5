#include "plugins/external/manifest_reader.h"

#include "core/io/json_reader.h"
#include "core/ir/limits.h"
#include "plugins/external/command_line.h"
#include "plugins/external/option_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace stowage::external {

namespace {

constexpr std::array<std::string_view, 3> kindNames{"planner", "importer", "exporter"};
constexpr std::array<std::string_view, 4> transportNames{"csv-oneshot", "json-oneshot", "dsa-oneshot", "stdio-jsonrpc"};
constexpr std::int64_t maxMebibytes = std::int64_t{1} << 24;
constexpr std::size_t maxArguments = 1000;

CapabilitySet capabilitiesOf(Transport transport)
{
    CapabilitySet takes{};
    if (transport == Transport::csvOneshot) { // who does not read the gaps keeps the bytes for the whole time, which is valid
        takes[std::size_t(Capability::gaps)] = true;
        takes[std::size_t(Capability::windows)] = true;
    } else if (transport == Transport::dsaOneshot) {
        for (const Capability each : {Capability::pools, Capability::gaps, Capability::pins, Capability::conflicts})
            takes[std::size_t(each)] = true;
    } else {
        takes.fill(true);
    }
    return takes;
}

class Reader {
public:
    Reader(std::string_view text, const std::string& path) : in_(text, path)
    {
        manifest_.path = path;
        manifest_.folder = path.substr(0, path.find_last_of('/'));
    }

    Expected<Manifest> run()
    {
        in_.object({"id", "protocol", "argv"}, [&](std::string_view key) { field(key); });
        if (!in_.finish()) return in_.error();
        complete();
        if (!in_.ok()) return in_.error();
        return std::move(manifest_);
    }

private:
    void field(std::string_view key)
    {
        if (key == "id") {
            in_.read(manifest_.id);
            if (in_.ok() && !isId(manifest_.id))
                in_.fail(Code::unknownValue, fmt::format("'{}' is no id", manifest_.id),
                         "write lower-case letters, digits and '-', at most 64 of them");
        } else if (key == "name")
            in_.read(manifest_.name);
        else if (key == "description")
            in_.read(manifest_.description);
        else if (key == "version")
            in_.read(manifest_.version);
        else if (key == "license")
            in_.read(manifest_.license);
        else if (key == "kind")
            in_.read(manifest_.kind, kindNames);
        else if (key == "protocol") {
            in_.read(manifest_.protocol);
            if (in_.ok() && manifest_.protocol != protocolVersion)
                in_.fail(Code::unknownValue,
                         fmt::format("it speaks protocol {}, this host speaks {}", manifest_.protocol, protocolVersion),
                         "install a version of the plug-in that speaks it");
        } else if (key == "argv")
            in_.array([&] { argument(); });
        else if (key == "transport") {
            in_.read(manifest_.transport, transportNames);
            transportGiven_ = true;
        } else if (key == "options")
            in_.array([&] { readOption(in_, OptionSource::manifest, manifest_.options); });
        else if (key == "capabilities") {
            capabilitiesGiven_ = true;
            in_.array([&] { manifest_.takes[in_.choice(capabilityNames)] = true; });
        } else if (key == "capacity")
            manifest_.capacityRequired = in_.choice(std::array<std::string_view, 2>{"optional", "required"}) == 1;
        else if (key == "deterministic")
            in_.read(manifest_.deterministic);
        else if (key == "timeout_s") {
            const double seconds = in_.number();
            const auto timeout = timeoutOf(seconds);
            if (timeout)
                manifest_.timeout = *timeout;
            else if (in_.ok())
                in_.fail(Code::outOfRange, fmt::format("{} is outside {}", seconds, timeoutRange));
        } else if (key == "memory_mb")
            manifest_.memory = in_.integer(1, maxMebibytes) << 20;
        else if (key == "output_mb")
            manifest_.output = in_.integer(1, maxMebibytes) << 20;
        else if (key == "suffixes")
            in_.array([&] { manifest_.suffixes.emplace_back(in_.string()); });
        else if (key == "magic") {
            if (in_.type() == io::JsonType::array)
                in_.array([&] { magic(); });
            else
                magic();
        }
    }

    void word(std::vector<std::string>& words)
    {
        words.emplace_back(in_.string());
        if (in_.ok() && words.back().find('\0') != std::string::npos) in_.fail(Code::unknownValue, "an argument has a zero byte");
        places_.push_back(in_.offset());
    }
    void argument()
    {
        auto& words = manifest_.argv.emplace_back();
        if (in_.type() == io::JsonType::array)
            in_.array([&] { word(words); });
        else
            word(words);
        if (in_.ok() && (words.empty() || manifest_.argv.size() > maxArguments))
            in_.fail(Code::unknownValue, "there are no words in it, or more than 1,000 arguments");
    }

    void magic()
    {
        Magic& magic = manifest_.magic.emplace_back();
        in_.object({"hex"}, [&](std::string_view key) {
            if (key == "offset")
                magic.offset = in_.integer(0, 65'536);
            else if (key == "hex") {
                const std::string_view hex = in_.string();
                const auto digit = [](char c) {
                    return c >= '0' && c <= '9'   ? c - '0'
                           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                  : -1;
                };
                for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
                    magic.bytes.push_back(static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1])));
                const bool good = !hex.empty() && hex.size() % 2 == 0 && hex.size() <= 512 &&
                                  std::all_of(hex.begin(), hex.end(), [&](char c) { return digit(c) >= 0; });
                if (in_.ok() && !good)
                    in_.fail(Code::unknownValue, "magic is written as pairs of hex digits, at most 256 of them");
            }
        });
    }

    /// What holds between fields.
    void complete()
    {
        const auto fail = [&](Code code, const std::string& message, std::string remedy = {}) {
            in_.failAt(0, code, message, std::move(remedy));
        };
        if (manifest_.name.empty()) manifest_.name = manifest_.id;
        if (manifest_.argv.empty())
            return fail(Code::missingField, "'argv' is empty: the program to run has to be its first word");
        if (!capabilitiesGiven_) manifest_.takes = capabilitiesOf(manifest_.transport);
        const bool importer = manifest_.kind == ManifestKind::importer;
        const bool exporter = manifest_.kind == ManifestKind::exporter;
        if ((importer || exporter) && transportGiven_)
            return fail(Code::unknownValue, fmt::format("an {} has no transport", kindNames[std::size_t(manifest_.kind)]),
                        "remove the field 'transport'");
        if (importer && manifest_.suffixes.empty() && manifest_.magic.empty())
            return fail(Code::missingField, "an importer has to say which files are its own", "add 'suffixes' or 'magic'");
        if (!importer && !manifest_.magic.empty())
            return fail(Code::unknownValue, "only an importer tells files by their bytes", "remove the field 'magic'");
        if (importer)
            for (const OptionSpec& spec : manifest_.options)
                if (spec.type != OptionType::choice)
                    return fail(Code::badOption, fmt::format("option '{}': those of an importer are choices", spec.name));
        bool in = false;
        std::size_t place = 0;
        for (const auto& words : manifest_.argv)
            for (const std::string& text : words) {
                const std::size_t at = places_[place++];
                for (const std::string& name : placeholders(text)) {
                    in |= name == "in";
                    if (!knownPlaceholder(manifest_, name))
                        return in_.failAt(at, Code::unknownValue, fmt::format("'{{{}}}' means nothing here", name),
                                          fmt::format("known are {}", placeholderNames(manifest_)));
                    if (&words == &manifest_.argv.front() && name != "dir")
                        return in_.failAt(
                            at, Code::unknownValue,
                            fmt::format("'{{{}}}' stands in the first entry of 'argv', which names the program", name),
                            "move it to an entry of its own; of placeholders, the first entry takes {dir} only");
                }
            }
        if (importer && !in) fail(Code::missingField, "an importer's argv has to have {in}, the file that it reads");
    }

    io::JsonReader in_;
    Manifest manifest_;
    std::vector<std::size_t> places_; ///< of the words of argv
    bool transportGiven_ = false;
    bool capabilitiesGiven_ = false;
};

} // namespace

Expected<Manifest> readManifest(std::string_view text, const std::string& path)
{
    return Reader(text, path).run();
}

} // namespace stowage::external
