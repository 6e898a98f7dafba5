// Converts values to bytes and back, to send them to another process of the same build. Lossless, unlike the text formats, which
// do not contain everything that an importer knows (source positions, tensors kept out of planning, ids).
//
// A struct is archived by a function `fields` that lists its fields once, for both directions, and takes the struct apart by a
// structured binding: a field added to the struct and forgotten there does not compile.
//
//     template <typename Archive, SameAs<Carry> T> void fields(Archive& archive, T& value)
//     {
//         auto& [from, to] = value;
//         archive(from, to);
//     }
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace stowage {

static_assert(std::endian::native == std::endian::little, "numbers are archived as they lie in memory");

/// `T` is `Struct` or `const Struct`.
template <typename T, typename Struct>
concept SameAs = std::same_as<std::remove_const_t<T>, Struct>;

template <typename T>
concept ArchivedAsBytes = (std::is_arithmetic_v<T> && !std::same_as<T, bool>);

/// A std::vector, or one of the lists of core/ir.
template <typename T>
concept ArchivedAsList = requires(T& list)
{
    typename T::value_type;
    list.emplace_back();
};

class ArchiveWriter {
public:
    template <typename... Values>
    void operator()(const Values&... values)
    {
        (write(values), ...);
    }
    [[nodiscard]] std::string bytes() && { return std::move(bytes_); }

private:
    template <ArchivedAsBytes T>
    void write(const T& value)
    {
        char raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        bytes_.append(raw, sizeof(T));
    }
    void write(bool value) { bytes_.push_back(value ? '\1' : '\0'); }
    template <typename T>
    requires std::is_enum_v<T>
    void write(T value) { write(static_cast<std::underlying_type_t<T>>(value)); }
    void write(std::string_view text)
    {
        write(std::uint64_t{text.size()});
        bytes_.append(text);
    }
    void write(const std::string& text) { write(std::string_view(text)); }
    template <ArchivedAsList T>
    void write(const T& values)
    {
        write(std::uint64_t{values.size()});
        for (const auto& value : values) write(value);
    }
    template <typename T>
    void write(const std::optional<T>& value)
    {
        write(value.has_value());
        if (value) write(*value);
    }
    template <typename A, typename B>
    void write(const std::pair<A, B>& value)
    {
        (*this)(value.first, value.second);
    }
    template <typename... Ts>
    void write(const std::variant<Ts...>& value)
    {
        write(static_cast<std::uint8_t>(value.index()));
        std::visit([this](const auto& alternative) { this->write(alternative); }, value);
    }
    template <typename T>
    requires(std::is_class_v<T> && !ArchivedAsList<T>) void write(const T& value) { fields(*this, value); }

    std::string bytes_;
};

/// Reads the bytes of an `ArchiveWriter`, which are not trusted: after an impossible one all further values are empty, and `ok`
/// is false. Allocates no more memory than the bytes can describe.
class ArchiveReader {
public:
    explicit ArchiveReader(std::string_view bytes) : rest_(bytes) {}

    template <typename... Values>
    void operator()(Values&... values)
    {
        (read(values), ...);
    }
    [[nodiscard]] bool ok() const { return ok_; }
    /// Whether all bytes were read without an error.
    [[nodiscard]] bool finished() const { return ok_ && rest_.empty(); }

private:
    bool take(void* to, std::size_t size)
    {
        if (!ok_ || rest_.size() < size) {
            ok_ = false;
            return false;
        }
        std::memcpy(to, rest_.data(), size);
        rest_.remove_prefix(size);
        return true;
    }
    template <ArchivedAsBytes T>
    void read(T& value)
    {
        if (!take(&value, sizeof(T))) value = T{};
    }
    void read(bool& value)
    {
        std::uint8_t raw = 0;
        read(raw);
        if (raw > 1) ok_ = false;
        value = raw == 1;
    }
    /// The largest value of an enumeration is given by its function `lastEnumerator`, beside `fields`.
    template <typename T>
    requires std::is_enum_v<T>
    void read(T& value)
    {
        std::underlying_type_t<T> raw{};
        read(raw);
        if (raw < std::underlying_type_t<T>{} || raw > static_cast<std::underlying_type_t<T>>(lastEnumerator(T{}))) {
            ok_ = false;
            raw = {};
        }
        value = static_cast<T>(raw);
    }
    /// Reads a count of elements, each of which takes at least one byte.
    std::size_t count()
    {
        std::uint64_t size = 0;
        read(size);
        if (size > rest_.size()) ok_ = false;
        return ok_ ? static_cast<std::size_t>(size) : 0;
    }
    void read(std::string& text)
    {
        const std::size_t size = count();
        text.assign(rest_.substr(0, size));
        rest_.remove_prefix(size);
    }
    template <ArchivedAsList T>
    void read(T& values)
    {
        values.clear();
        const std::size_t size = count();
        for (std::size_t i = 0; i < size && ok_; ++i) read(values.emplace_back());
        if (!ok_) values.clear();
    }
    template <typename T>
    void read(std::optional<T>& value)
    {
        bool present = false;
        read(present);
        value.reset();
        if (present) read(value.emplace());
    }
    template <typename A, typename B>
    void read(std::pair<A, B>& value)
    {
        (*this)(value.first, value.second);
    }
    template <typename... Ts>
    void read(std::variant<Ts...>& value)
    {
        std::uint8_t index = 0;
        read(index);
        if (index >= sizeof...(Ts)) ok_ = false;
        readAlternative(value, ok_ ? index : 0, std::index_sequence_for<Ts...>());
    }
    template <typename... Ts, std::size_t... Indices>
    void readAlternative(std::variant<Ts...>& value, std::size_t index, std::index_sequence<Indices...>)
    {
        ((index == Indices ? read(value.template emplace<Indices>()) : void()), ...);
    }
    template <typename T>
    requires(std::is_class_v<T> && !ArchivedAsList<T>) void read(T& value) { fields(*this, value); }

    std::string_view rest_;
    bool ok_ = true;
};

/// The bytes of one value.
template <typename T>
std::string toArchive(const T& value)
{
    ArchiveWriter writer;
    writer(value);
    return std::move(writer).bytes();
}

/// The value of the bytes; no value if they are not exactly one value.
template <typename T>
std::optional<T> fromArchive(std::string_view bytes)
{
    std::optional<T> value(std::in_place);
    ArchiveReader reader(bytes);
    reader(*value);
    if (!reader.finished()) value.reset();
    return value;
}

} // namespace stowage
