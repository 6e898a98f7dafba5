#include "plugins/dumps/stream_pack.h"

#include "core/io/plan_tables.h"
#include "core/ir/checked.h"
#include "plugins/dumps/lines.h"
#include "plugins/dumps/problem_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stowage::dumps {

namespace {

constexpr std::string_view packName = "stream.resource.pack";
constexpr Bytes defaultAlignment = 64; ///< bytes, of offsets and sizes, where the module tells none
constexpr std::size_t maxPacks = 100'000;

/// What matters of the text: words, values, numbers, strings, and single characters. Comments are left out.
class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) { next(); }

    [[nodiscard]] std::string_view token() const { return token_; }
    [[nodiscard]] bool ended() const { return token_.empty(); }
    [[nodiscard]] std::int32_t line() const { return line_; }
    bool take(std::string_view wanted)
    {
        if (token_ != wanted) return false;
        next();
        return true;
    }

    void next()
    {
        skipBlanks();
        if (at_ >= text_.size()) {
            token_ = {};
            return;
        }
        const std::size_t first = at_++;
        const char c = text_[first];
        if (c == '"') {
            while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
            at_ = std::min(at_ + 1, text_.size());
        } else if (inWord(c) || c == '%' || c == '@' || c == '#' || c == '!') {
            while (at_ < text_.size() && inWord(text_[at_])) ++at_;
        }
        token_ = text_.substr(first, at_ - first);
    }

private:
    static bool inWord(char c)
    {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' || c == '-';
    }

    void skipBlanks()
    {
        for (; at_ < text_.size(); ++at_) {
            if (text_[at_] == '\n')
                ++line_;
            else if (text_.substr(at_, 2) == "//")
                at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
            else if (text_[at_] != ' ' && text_[at_] != '\t' && text_[at_] != '\r')
                return;
        }
    }

    std::string_view text_;
    std::string_view token_;
    std::size_t at_ = 0;
    std::int32_t line_ = 1;
};

class Reader {
public:
    Reader(const ImportRequest& request)
        : in_(request.bytes), path_(request.path), notes_(path_), stem_(stemOf(request.path, ".mlir"))
    {
    }

    Expected<Imported> run()
    {
        std::string_view value; // the last one: "%c = arith.constant 4"
        bool named = false;     // a function's name may come: "util.func private @f"
        while (!in_.ended()) {
            const std::string_view token = in_.token();
            if (token == packName) {
                if (auto error = pack()) return *std::move(error);
                continue;
            }
            if (token == "min_buffer_offset_alignment" || token == "min_buffer_range_alignment") {
                if (auto error = alignment(token)) return *std::move(error);
                continue;
            }
            in_.next();
            if (token == "arith.constant") {
                if (const auto number = wholeNumber(in_.token()); number && !value.empty())
                    constants_[std::string(value)] = *number;
            } else if (token.starts_with('@') && named) {
                function_ = token.substr(1);
                constants_.clear();
            }
            named = token.ends_with("func") || (named && (token == "private" || token == "public"));
            if (token.starts_with('%')) value = token;
        }
        if (problems_.empty())
            return failure(Code::nothingToPlan, "the module has no stream.resource.pack with slices of constant sizes", {path_},
                           "Dump it before IREE lays its slices out: --mlir-print-ir-before=iree-stream-layout-slices.");
        Imported made;
        made.diagnostics = std::move(notes_).take();
        made.content = std::move(problems_);
        return made;
    }

private:
    Error wrong(std::string message) const
    {
        return failure(Code::syntax, std::move(message), {path_, in_.line()}, "Dump it again: this is not how IREE writes it.");
    }

    /// "min_buffer_offset_alignment = 64"
    std::optional<Error> alignment(std::string_view which)
    {
        in_.next();
        if (!in_.take("=")) return std::nullopt;
        const auto bytes = wholeNumber(in_.token());
        if (!bytes || *bytes < 1 || *bytes > (Bytes{1} << 40))
            return wrong(fmt::format("{} is no alignment", in_.token().substr(0, 40)));
        (which == "min_buffer_offset_alignment" ? offsetAlignment_ : sizeAlignment_) = *bytes;
        return std::nullopt;
    }

    /// "stream.resource.pack on(…) offset(%o) slices({[0, 4] = %c200, …}) : index"
    std::optional<Error> pack()
    {
        if (++packs_ > maxPacks) return wrong(fmt::format("more than {} packs", maxPacks));
        const std::int32_t line = in_.line();
        in_.next();
        std::string base; // the value that is added to all offsets
        while (!in_.ended() && in_.token() != "slices") {
            if (!in_.take("offset"))
                in_.next();
            else if (in_.take("("))
                base = in_.token();
        }
        if (!in_.take("slices") || !in_.take("(") || !in_.take("{"))
            return wrong("expected \"slices({[FIRST, LAST] = %SIZE, …})\"");
        const std::size_t count = ++timesPacked_[std::string(function_)];
        std::string name = function_.empty() ? stem_ : std::string(function_.substr(0, maxNameLength));
        if (count > 1) name += fmt::format("#{}", count);
        ProblemMaker maker(name);
        const PoolId pool = maker.pool("transient", offsetAlignment_);
        std::vector<std::string>& dynamic = maker.problem().unknownSizes;
        for (std::size_t slice = 0; !in_.take("}"); ++slice) {
            if (slice > 0 && !in_.take(",")) return wrong("expected a comma or \"}\" after a slice");
            if (in_.take("}")) break;
            if (!in_.take("[")) return wrong("expected a slice \"[FIRST, LAST] = %SIZE\"");
            const auto first = wholeNumber(in_.token());
            in_.next();
            if (!in_.take(",")) return wrong("expected a slice \"[FIRST, LAST] = %SIZE\"");
            const auto last = wholeNumber(in_.token());
            in_.next();
            if (!first || !last || *last < *first || *last >= maxBytes || !in_.take("]") || !in_.take("=") ||
                !in_.token().starts_with('%'))
                return wrong("expected a slice \"[FIRST, LAST] = %SIZE\", with its last step not before its first");
            const auto size = constants_.find(std::string(in_.token()));
            in_.next();
            std::string sliceName = fmt::format("slice{}", slice);
            if (size == constants_.end()) {
                dynamic.push_back(std::move(sliceName));
                continue;
            }
            if (size->second > maxBytes / 2) return wrong(fmt::format("a slice has {} bytes", size->second));
            maker.add(sliceName, alignUp(size->second, sizeAlignment_), {*first, *last + 1}, pool);
        }
        if (auto error = addBase(maker, base, line)) return error;
        if (!dynamic.empty())
            notes_.add(
                Severity::warning, Code::dynamicSize,
                fmt::format("'{}': {} slices have sizes that are known at run time only, and are left out", name, dynamic.size()),
                line, "What is planned is smaller than what the program needs.");
        if (!maker.problem().buffers.empty()) problems_.push_back(std::move(maker).take());
        return std::nullopt;
    }

    /// The bytes below the slices become a buffer, so that offsets and total are those of the resource.
    std::optional<Error> addBase(ProblemMaker& maker, const std::string& value, std::int32_t line)
    {
        if (value.empty() || maker.problem().buffers.empty()) return std::nullopt;
        const auto bytes = constants_.find(value);
        if (bytes == constants_.end()) {
            notes_.add(Severity::note, Code::dynamicSize,
                       fmt::format("'{}': its slices begin at {}, which is known at run time only", maker.problem().name, value),
                       line, "Add it to all offsets and to the total.");
            return std::nullopt;
        }
        if (bytes->second > maxBytes / 2) return wrong(fmt::format("the slices begin at {}", bytes->second));
        if (bytes->second == 0) return std::nullopt;
        maker.add(io::ireeBaseName, bytes->second, {0, maker.problem().horizon()}, 0).pin = 0;
        return std::nullopt;
    }

    Scanner in_;
    std::string path_;
    Notes notes_;
    std::string stem_;
    std::string_view function_;
    std::unordered_map<std::string, std::int64_t> constants_; ///< of the function, by value
    std::unordered_map<std::string, std::size_t> timesPacked_;
    std::size_t packs_ = 0;
    Bytes offsetAlignment_ = defaultAlignment;
    Bytes sizeAlignment_ = defaultAlignment;
    std::vector<NamedProblem> problems_;
};

} // namespace

int StreamPackImporter::claims(std::string_view head, std::string_view path) const
{
    if (head.find(packName) != std::string_view::npos) return 90;
    // It may come after the first 64 KiB; other readers of MLIR are sure of what is theirs.
    return path.ends_with(".mlir") && head.find("stream.") != std::string_view::npos &&
                   head.find("util.func") != std::string_view::npos
               ? 70
               : 0;
}

Expected<Imported> StreamPackImporter::import(const ImportRequest& request) const
{
    if (auto error = refuseOptions(request)) return *std::move(error);
    return Reader(request).run();
}

} // namespace stowage::dumps
