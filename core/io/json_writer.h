// Writes JSON, indented or compact, with the same bytes on every machine.
//
//     JsonWriter out;
//     out.object([&] {
//         out.field("name", problem.name);
//         out.array("pools", [&] { for (…) out.object(JsonWriter::compact, [&] { out.field("size", 16); }); });
//     });
//     return std::move(out).text();
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits> // not <concepts>: the moc of Qt 6.4 cannot read that
#include <utility>

namespace stowage::io {

/// Writes one document. Keys and strings are UTF-8; bytes that are not become U+FFFD, so the result is always valid. Numbers do
/// not depend on the locale. Doubles are written in the shortest form that reads back as the same value; infinities and NaN are
/// written as null.
class JsonWriter {
public:
    enum Layout : bool {
        indented, ///< one element or field in each line, indented by one more space
        compact,  ///< all on one line, including nested values
    };

    template <typename Body>
    void object(Layout layout, Body&& body)
    {
        open('{', layout);
        body();
        close('}');
    }
    template <typename Body>
    void object(Body&& body)
    {
        object(indented, std::forward<Body>(body));
    }
    template <typename Body>
    void array(Layout layout, Body&& body)
    {
        open('[', layout);
        body();
        close(']');
    }
    template <typename Body>
    void array(Body&& body)
    {
        array(indented, std::forward<Body>(body));
    }

    /// Writes the key of the next value.
    void key(std::string_view name);
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(const std::string& text) { value(std::string_view(text)); }
    void value(bool flag);
    void value(double number);
    template <typename Integer>
    requires(std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>) void value(Integer number)
    {
        if constexpr (std::is_signed_v<Integer>)
            integer(number);
        else
            unsignedInteger(number);
    }
    void null();
    /// Writes a value that is already JSON text (`JsonReader::raw`).
    void raw(std::string_view json);

    template <typename T>
    void field(std::string_view name, const T& fieldValue)
    {
        key(name);
        value(fieldValue);
    }
    template <typename Body>
    void object(std::string_view name, Body&& body)
    {
        key(name);
        object(indented, std::forward<Body>(body));
    }
    template <typename Body>
    void object(std::string_view name, Layout layout, Body&& body)
    {
        key(name);
        object(layout, std::forward<Body>(body));
    }
    template <typename Body>
    void array(std::string_view name, Body&& body)
    {
        key(name);
        array(indented, std::forward<Body>(body));
    }
    template <typename Body>
    void array(std::string_view name, Layout layout, Body&& body)
    {
        key(name);
        array(layout, std::forward<Body>(body));
    }

    /// Bytes written so far.
    [[nodiscard]] std::size_t size() const { return text_.size(); }
    /// Reserves memory for a document of `bytes` bytes. Without it, growing takes up to three times the memory for a while.
    void reserve(std::size_t bytes) { text_.reserve(bytes); }
    /// The document, with a line feed at the end.
    [[nodiscard]] std::string text() &&;

private:
    void open(char bracket, Layout layout);
    void close(char bracket);
    /// Writes the comma and the line break before an element or field.
    void separate();
    void quoted(std::string_view text);
    void integer(std::int64_t number);
    void unsignedInteger(std::uint64_t number);

    std::string text_;
    int depth_ = 0;
    int compactFrom_ = -1; ///< depth of the outermost compact container; -1 outside
    bool first_ = true;    ///< the innermost container is still empty
    bool afterKey_ = false;
};

} // namespace stowage::io
