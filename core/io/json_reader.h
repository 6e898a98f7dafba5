// A reader for JSON documents that people and other programs write: one pass over the text, and every complaint names the
// field and its line. The parsing is simdjson's; this layer adds positions, field paths, and strictness.
//
//     JsonReader in(text, file);
//     in.object({"name"}, [&](std::string_view key) {          // "name" has to be there
//         if (key == "name") in.read(pool.name);
//         else if (key == "capacity") in.read(pool.capacity, 0, maxBytes);
//         else if (key == "tags") in.array([&] { tags.emplace_back(in.string()); });
//     });                                                      // a field that was not read is an unknown field
//     if (!in.finish()) return in.error();
//
// The first error sticks: whatever is called after it does nothing and returns zeros, so a reader checks once, at the end.
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

/// Reads one document, value by value, in the order of the text. At any time there is a current value: the document's, or the
/// field or element that a callback was called for. Objects refuse repeated keys and fields that their callback did not read,
/// except under keys that begin with "x-". Nesting deeper than `maxDepth` is an error. Texts below 4 GiB.
class JsonReader {
public:
    static constexpr std::size_t maxDepth = 512;

    /// Copies the text (simdjson reads a few bytes past the end) and finds its structure; errors show from the first call on.
    JsonReader(std::string_view text, std::string file);
    ~JsonReader();
    JsonReader(const JsonReader&) = delete;
    JsonReader& operator=(const JsonReader&) = delete;

    /// Reads the current value as an object: `field(key)` is called for each field and reads its value. Fields named in
    /// `required` must be there.
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
    /// Reads the current value as an array: `element()` is called for each element and reads it.
    template <typename Element>
    void array(Element&& element)
    {
        if (!enterArray()) return;
        while (nextElement()) element();
    }

    /// What the current value is, without reading it; null after an error.
    [[nodiscard]] JsonType type();
    /// Reads a string. The view lives as long as the reader.
    std::string_view string();
    /// Reads an integer; an error outside [minimum, maximum], and for 1.5 or 1e3.
    std::int64_t integer(std::int64_t minimum = std::numeric_limits<std::int64_t>::min(),
                         std::int64_t maximum = std::numeric_limits<std::int64_t>::max());
    std::uint64_t unsignedInteger();
    double number();
    bool boolean();
    /// Reads a string that must be one of `names`; returns its index. The error lists the choices.
    std::size_t choice(std::span<const std::string_view> names);
    /// Reads the value of a field "format"; an error that says what the file is when it is not `expected`.
    void format(std::string_view expected);
    /// Reads over the current value, checking its syntax.
    void skip();
    /// The same; returns the value's JSON text, which lives as long as the reader. Empty after an error.
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
    /// null reads as nothing.
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
    /// Reads one of `names` into the enumerator of the same position.
    template <typename Enum>
    requires std::is_enum_v<Enum>
    void read(Enum& to, std::span<const std::string_view> names) { to = static_cast<Enum>(choice(names)); }

    [[nodiscard]] bool ok() const { return !failed_; }
    /// After the outermost value: checks that nothing follows it. True when all went well.
    bool finish();
    /// The first error. Requires that there is one.
    [[nodiscard]] const Error& error() const { return error_; }
    /// Reports an error of meaning at the current value (or at a noted place). Only the first of all errors is kept.
    void fail(Code code, const std::string& message, std::string remedy = {});
    void failAt(std::size_t offset, Code code, std::string message, std::string remedy = {});

    /// Byte offset of the current value (or key), to be noted for errors that show only later.
    [[nodiscard]] std::size_t offset() const;
    /// Line and column of a byte offset. Cheap when asked in ascending order.
    [[nodiscard]] Position positionAt(std::size_t offset) const;
    [[nodiscard]] Position position() const { return positionAt(offset()); }
    /// "buffers[3].live[0]": the way to the current value; empty at the top.
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
