// Python pickles as data: protocols 2 to 5, and only the opcodes that build numbers, texts, lists, tuples and dictionaries. What
// would import, call or build anything is refused, so reading a pickle runs nothing. (Opcodes: Python's Lib/pickletools.py.)
#pragma once

#include "core/ir/expected.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::pickle {

enum class Kind : std::uint8_t { none, boolean, integer, real, text, list, tuple, dict };

/// 16 bytes; refers to what its document holds. Containers that the pickle names several times are shared.
struct Value {
    Kind kind = Kind::none;
    std::uint32_t length = 0; ///< text: bytes of UTF-8
    std::int64_t payload =
        0; ///< boolean, integer: itself; real: its bits; text: offset in the input; else number of the container

    friend bool operator==(const Value&, const Value&) = default;
};

/// A pickle that was read. Refers to the bytes that it was read from, which must outlive it.
class Document {
public:
    /// Reads up to the STOP opcode; what follows is ignored. Errors, with the byte: an opcode that is refused or unknown, an
    /// input that ends too early, an integer of more than 64 bits, a stack or memo entry that is not there, more than 2^27
    /// containers. O(bytes).
    static Expected<Document> read(std::string_view bytes, const std::string& file);

    [[nodiscard]] Value root() const { return root_; }
    /// Empty for anything but a text.
    [[nodiscard]] std::string_view text(Value value) const;
    /// Elements of a list or tuple; empty for anything else. Equal lists of containers that were written in one piece (call
    /// stacks) mostly share their elements: their `data()` is the same.
    [[nodiscard]] std::span<const Value> items(Value value) const;
    /// The value of the last such key of a dictionary; none when there is none, or it is no dictionary. Linear.
    [[nodiscard]] Value find(Value dict, std::string_view key) const;
    /// The integer, or `otherwise`.
    [[nodiscard]] static std::int64_t integer(Value value, std::int64_t otherwise = 0)
    {
        return value.kind == Kind::integer || value.kind == Kind::boolean ? value.payload : otherwise;
    }

private:
    friend class PickleReader;
    /// A snapshot has millions of dictionaries with the same few keys, and of equal lists: what is written once, in one piece, is
    /// kept without its keys, and equal lists once. A container that is added to is kept as it is.
    struct Container {
        static constexpr std::uint32_t grown = 0xffffffffU;
        const Value* values = nullptr; ///< elements, or values of a dictionary
        std::uint32_t size = 0;        ///< of `values`; `grown`: the container is `grown_[place]`
        std::uint32_t place = 0;       ///< of a dictionary its keys: `shapes_[place]`, of as many
    };
    std::string_view bytes_;
    std::vector<Container> containers_;
    std::vector<const Value*> shapes_;
    std::vector<std::vector<Value>> grown_; ///< of dictionaries keys and values in turn
    std::vector<std::unique_ptr<Value[]>> blocks_;
    Value root_;
};

} // namespace stowage::pickle
