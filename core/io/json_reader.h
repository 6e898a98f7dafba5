// A strict one-pass reader for JSON documents. Every error names the field and its line. simdjson parses the text; this layer
// adds positions, field paths and checks.
//
//     JsonReader in(text, file);
//     in.object({"name"}, [&](std::string_view key) {          // "name" is required
//         if (key == "name") in.read(pool.name);
//         else if (key == "capacity") in.read(pool.capacity, 0, maxBytes);
//         else if (key == "tags") in.array([&] { tags.emplace_back(in.string()); });
//     });                                                      // fields that were not read are errors
//     if (!in.finish()) return in.error();
//
// The first error is kept. All later calls do nothing and return zeros or empty values, so it is enough to check for errors at
// the end.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace stowage::io {

enum class JsonType : std::uint8_t { object, array, string, number, boolean, null };

/// Reads one document, value by value, in the order of the text. The current value is the whole document, or the field or element
/// for which a callback was called. Errors: a repeated key; a field that the callback did not read, unless its key begins with
/// "x-"; nesting deeper than `maxDepth`; a text of 4 GiB or more.
class JsonReader {
public:
    static constexpr std::size_t maxDepth = 512;

    /// Copies the text, because simdjson reads a few bytes past its end, and indexes its structure.
    JsonReader(std::string_view text, std::string file);
    ~JsonReader();
    JsonReader(const JsonReader&) = delete;
    JsonReader& operator=(const JsonReader&) = delete;

    /// Reads the current value as an object: calls `field(key)` for each field, which reads its value. The fields `required` must
    /// exist.
    template <typename Field>
    void object(std::initializer_list<std::string_view> required, Field&& field)
    {
        if (!enterObject()) return;
        for (std::string_view key; nextField(key);) field(key);
        leaveObject({required.begin(), required.size()});
    }
    template <typename Field>
    void object(Field&& field)
    {
        object({}, std::forward<Field>(field));
    }
    /// Reads the current value as an array: calls `element()` for each element, which reads it.
    template <typename Element>
    void array(Element&& element)
    {
        if (!enterArray()) return;
        while (nextElement()) element();
    }

    /// The type of the current value, without reading it; null after an error.
    [[nodiscard]] JsonType type();
    /// Reads a string. The view lives as long as the reader.
    std::string_view string();
    /// Reads an integer in [minimum, maximum]. Numbers like 1.5 or 1e3 are errors.
    std::int64_t integer(std::int64_t minimum = std::numeric_limits<std::int64_t>::min(),
                         std::int64_t maximum = std::numeric_limits<std::int64_t>::max());
    std::uint64_t unsignedInteger();
    double number();
    bool boolean();
    /// Reads a string that must be one of `names`, and returns its index. The error lists the names.
    std::size_t choice(std::span<const std::string_view> names);
    /// Reads the value of the field "format". If it is not `expected`, the error names the format of the file.
    void format(std::string_view expected);
    /// Skips the current value after a check of its syntax.
    void skip();
    /// Skips the current value and returns its JSON text, which lives as long as the reader. Empty after an error.
    std::string_view raw();

    void read(std::string& to) { to = string(); }
    void read(bool& to) { to = boolean(); }
    void read(double& to) { to = number(); }
    template <std::integral Integer>
    requires(!std::is_same_v<Integer, bool>) void read(Integer& to, std::int64_t minimum = lowest<Integer>(),
                                                       std::int64_t maximum = highest<Integer>())
    {
        to = static_cast<Integer>(integer(minimum, maximum));
    }
    /// Reads null as no value.
    template <typename T, typename... Range>
    void read(std::optional<T>& to, Range... range)
    {
        if (type() == JsonType::null) {
            skip();
            to.reset();
        } else {
            read(to.emplace(), range...);
        }
    }
    /// Reads one of `names` as the enumerator with the same position.
    template <typename Enum>
    requires std::is_enum_v<Enum>
    void read(Enum& to, std::span<const std::string_view> names) { to = static_cast<Enum>(choice(names)); }

    [[nodiscard]] bool ok() const { return !failed_; }
    /// Call after the outermost value: checks that nothing follows it. True if there was no error.
    bool finish();
    /// The first error. Requires that there is one.
    [[nodiscard]] const Error& error() const { return error_; }
    /// Report an error in the content, at the current value or at a byte offset. Only the first error is kept.
    void fail(Code code, const std::string& message, std::string remedy = {});
    void failAt(std::size_t offset, Code code, std::string message, std::string remedy = {});

    /// Byte offset of the current value or key, for errors that are found later.
    [[nodiscard]] std::size_t offset() const;
    /// Line and column of a byte offset. Fast for ascending offsets.
    [[nodiscard]] Position positionAt(std::size_t offset) const;
    [[nodiscard]] Position position() const { return positionAt(offset()); }
    /// The path of the current value: "buffers[3].live[0]"; empty for the document.
    [[nodiscard]] std::string path() const;

private:
    template <typename Integer>
    static constexpr std::int64_t lowest()
    {
        return std::is_signed_v<Integer> ? static_cast<std::int64_t>(std::numeric_limits<Integer>::min()) : 0;
    }
    template <typename Integer>
    static constexpr std::int64_t highest()
    {
        return sizeof(Integer) < 8 ? static_cast<std::int64_t>(std::numeric_limits<Integer>::max())
                                   : std::numeric_limits<std::int64_t>::max();
    }

    void failSyntax(int simdjsonError);
    void failCutOff();
    bool enterObject();
    bool nextField(std::string_view& key);
    void leaveObject(std::span<const std::string_view> required);
    bool enterArray();
    bool nextElement();

    struct State;
    std::unique_ptr<State> state_;
    bool failed_ = false;
    Error error_;
};

} // namespace stowage::io
