#include "core/io/csv_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace stowage::io {

namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    return text;
}

/// Lower case of ASCII letters; std::tolower depends on the locale.
char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

CsvReader::CsvReader(std::string_view text, std::string file) : text_(text), file_(std::move(file))
{
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3); // a byte order mark, as spreadsheets write it
    if (!simdjson::validate_utf8(text_.data(), text_.size())) {
        std::size_t from = 0;
        for (std::int32_t line = 1; from < text_.size(); ++line) { // a UTF-8 sequence never contains a line feed
            const std::size_t end = std::min(text_.find('\n', from), text_.size());
            if (!simdjson::validate_utf8(text_.data() + from, end - from)) {
                fail(Code::syntax, "this line is not UTF-8 text", {.file = file_, .line = line}, "save the file as UTF-8");
                return;
            }
            from = end + 1;
        }
    }
    if (!readRow()) fail(Code::syntax, "the table is empty", {.file = file_, .line = 1}, "its first line names the columns");
    for (const Field& field : fields_) {
        header_.emplace_back(field.text);
        std::transform(header_.back().begin(), header_.back().end(), header_.back().begin(), lower);
    }
}

Position CsvReader::position(std::size_t column) const
{
    Position where = position();
    // In a row of several lines (quoted line feeds) the column is not reported, because it would be misleading.
    if (nextLine_ - line_ <= 1 && column < fields_.size())
        where.column = static_cast<std::int32_t>(fields_[column].begin - rowBegin_) + 1;
    return where;
}

void CsvReader::fail(Code code, std::string message, Position where, std::string remedy)
{
    if (!error_) error_ = failure(code, std::move(message), std::move(where), std::move(remedy));
}

/// Reads a quoted field whose opening quote is at `at_`; stops after the closing one.
bool CsvReader::readQuoted()
{
    const std::size_t open = at_++;
    const std::size_t first = at_;
    bool doubled = false;
    for (;; ++at_) {
        const std::size_t quote = text_.find('"', at_);
        if (quote == std::string_view::npos) {
            fail(Code::syntax, "this quoted field has no closing quote", {.file = file_, .line = nextLine_});
            return false;
        }
        nextLine_ += static_cast<std::int32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                          text_.begin() + static_cast<std::ptrdiff_t>(quote), '\n'));
        at_ = quote + 1;
        if (at_ >= text_.size() || text_[at_] != '"') break;
        doubled = true;
    }
    std::string_view content = text_.substr(first, at_ - 1 - first);
    if (doubled) {
        std::string& plain = unescaped_.emplace_back();
        for (std::size_t i = 0; i < content.size(); ++i) {
            plain += content[i];
            if (content[i] == '"') ++i; // the second one of the pair
        }
        content = plain;
    }
    fields_.push_back({content, text_.data() + open});
    while (at_ < text_.size() && isBlank(text_[at_])) ++at_;
    if (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') {
        fail(Code::syntax, "something follows the closing quote of this field", {.file = file_, .line = nextLine_});
        return false;
    }
    return true;
}

bool CsvReader::readRow()
{
    if (error_) return false;
    fields_.clear();
    unescaped_.clear();
    for (;;) { // skips blank lines
        if (at_ >= text_.size()) return false;
        std::size_t i = at_;
        while (i < text_.size() && isBlank(text_[i])) ++i;
        if (i < text_.size() && text_[i] != '\n') break;
        at_ = i + 1;
        ++nextLine_;
    }
    line_ = nextLine_;
    rowBegin_ = text_.data() + at_;
    for (;;) {
        std::size_t i = at_;
        while (i < text_.size() && isBlank(text_[i])) ++i;
        if (i < text_.size() && text_[i] == '"') {
            at_ = i;
            if (!readQuoted()) return false;
        } else {
            while (i < text_.size() && text_[i] != ',' && text_[i] != '\n') ++i;
            const std::string_view field = trimmed(text_.substr(at_, i - at_));
            fields_.push_back({field, field.data()});
            at_ = i;
        }
        const bool more = at_ < text_.size() && text_[at_] == ',';
        if (at_ < text_.size()) ++at_;
        if (more) continue;
        ++nextLine_;
        return true;
    }
}

bool CsvReader::next()
{
    if (!readRow()) return false;
    if (fields_.size() == header_.size()) return true;
    fail(Code::wrongFieldCount, fmt::format("this row has {} fields, the header has {}", fields_.size(), header_.size()),
         position());
    return false;
}

std::int64_t CsvReader::integer(std::size_t column, std::int64_t minimum, std::int64_t maximum)
{
    const std::string_view text = fields_[column].text;
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc::result_out_of_range || (code == std::errc{} && (value < minimum || value > maximum))) {
        fail(Code::outOfRange, fmt::format("{}: {} is outside {} to {}", header_[column], text, minimum, maximum),
             position(column));
        return 0;
    }
    if (code != std::errc{} || end != text.data() + text.size()) {
        fail(Code::badNumber, fmt::format("{}: expected an integer, found '{}'", header_[column], text.substr(0, 40)),
             position(column));
        return 0;
    }
    return value;
}

} // namespace stowage::io
