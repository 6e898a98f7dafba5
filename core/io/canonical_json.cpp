#include "core/io/canonical_json.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace stowage::io {

namespace {

namespace dom = simdjson::dom;

class CanonicalWriter {
public:
    explicit CanonicalWriter(std::string_view completed) : completed_(completed) {}

    void write(const dom::element& value, int depth)
    {
        switch (value.type()) {
        case dom::element_type::OBJECT: object(value, depth); break;
        case dom::element_type::ARRAY: array(value, depth); break;
        case dom::element_type::STRING: string(value.get_string().value()); break;
        case dom::element_type::INT64: text_ += fmt::format("{}", std::int64_t(value.get_int64().value())); break;
        case dom::element_type::UINT64: text_ += fmt::format("{}", std::uint64_t(value.get_uint64().value())); break;
        case dom::element_type::DOUBLE: number(value.get_double().value()); break;
        case dom::element_type::BOOL: text_ += value.get_bool().value() ? "true" : "false"; break;
        case dom::element_type::NULL_VALUE: text_ += "null"; break;
        }
    }
    [[nodiscard]] std::string text() && { return std::move(text_) + "\n"; }

private:
    void line(int depth)
    {
        text_ += '\n';
        text_.append(static_cast<std::size_t>(2 * depth), ' ');
    }

    void object(const dom::element& value, int depth)
    {
        std::vector<std::pair<std::string_view, std::optional<dom::element>>> fields; // no value: {}
        const dom::object members = value.get_object().value();
        bool complete = depth > 0 || completed_.empty();
        for (const auto field : members) {
            complete = complete || field.key == completed_;
            fields.emplace_back(field.key, field.value);
        }
        if (!complete) fields.emplace_back(completed_, std::nullopt);
        if (fields.empty()) {
            text_ += "{}";
            return;
        }
        std::stable_sort(fields.begin(), fields.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        text_ += '{';
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (i > 0) text_ += ',';
            line(depth + 1);
            string(fields[i].first);
            text_ += ": ";
            if (fields[i].second)
                write(*fields[i].second, depth + 1);
            else
                text_ += "{}";
        }
        line(depth);
        text_ += '}';
    }

    void array(const dom::element& value, int depth)
    {
        bool any = false;
        const dom::array elements = value.get_array().value();
        for (const dom::element element : elements) {
            text_ += any ? ',' : '[';
            any = true;
            line(depth + 1);
            write(element, depth + 1);
        }
        if (!any) {
            text_ += "[]";
            return;
        }
        line(depth);
        text_ += ']';
    }

    void string(std::string_view value)
    {
        text_ += '"';
        for (const char c : value) {
            switch (c) {
            case '"': text_ += "\\\""; break;
            case '\\': text_ += "\\\\"; break;
            case '\n': text_ += "\\n"; break;
            case '\r': text_ += "\\r"; break;
            case '\t': text_ += "\\t"; break;
            case '\b': text_ += "\\b"; break;
            case '\f': text_ += "\\f"; break;
            default:
                if (static_cast<unsigned char>(c) < 0x20)
                    text_ += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
                else
                    text_ += c;
            }
        }
        text_ += '"';
    }

    void number(double value)
    {
        std::string text = fmt::format("{}", value);
        if (text.find_first_of(".en") == std::string::npos) text += ".0";
        text_ += text;
    }

    std::string_view completed_;
    std::string text_;
};

} // namespace

Expected<std::string> canonicalJson(std::string_view text, const std::string& file, std::string_view completed)
{
    dom::parser parser;
    dom::element root;
    if (const auto error = parser.parse(simdjson::padded_string(text)).get(root))
        return failure(Code::malformed, fmt::format("this is not JSON: {}", simdjson::error_message(error)), {file},
                       "Correct the document.");
    CanonicalWriter writer(completed);
    writer.write(root, 0);
    return std::move(writer).text();
}

} // namespace stowage::io
