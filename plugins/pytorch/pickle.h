// Reads Python pickles as data: protocols 2 to 5, and only the opcodes that build numbers, texts, lists, tuples and dictionaries.
// Opcodes that import, call or construct objects are refused, so that reading a pickle runs no code. (Opcodes: Python's
// Lib/pickletools.py.)
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

/// A value of a document, in 16 bytes; refers to the document. Containers that the pickle refers to several times are stored
/// once.
struct Value {
    Kind kind = Kind::none;
    std::uint32_t length = 0; ///< text: bytes of UTF-8
    std::int64_t payload = 0; ///< boolean, integer: the value; real: its bits; text: offset in the input; containers: index

    friend bool operator==(const Value&, const Value&) = default;
};

/// A pickle that was read. Refers to the bytes of the input, which must outlive it.
class Document {
public:
    /// Reads up to the STOP opcode; later bytes are ignored. Errors, with the byte: an opcode that is refused or unknown, an
    /// input that ends too early, an integer of more than 64 bits, a stack or memo entry that does not exist, more than 2^27
    /// containers. O(bytes).
    static Expected<Document> read(std::string_view bytes, const std::string& file);

    [[nodiscard]] Value root() const { return root_; }
    /// The text of a value; empty for other kinds.
    [[nodiscard]] std::string_view text(Value value) const;
    /// Elements of a list or tuple; empty for other kinds. Equal lists of containers (call stacks) that the pickle builds by one
    /// opcode mostly share their elements: their `data()` is the same.
    [[nodiscard]] std::span<const Value> items(Value value) const;
    /// The value of the last entry with this key; a value of kind `none` if there is none, or if `dict` is not a dictionary.
    /// O(entries).
    [[nodiscard]] Value find(Value dict, std::string_view key) const;
    /// The value of an integer or boolean; `otherwise` for other kinds. An integer from 2^63 on, such as an address, is its 64
    /// bits: as a signed number it is negative.
    [[nodiscard]] static std::int64_t integer(Value value, std::int64_t otherwise = 0)
    {
        return value.kind == Kind::integer || value.kind == Kind::boolean ? value.payload : otherwise;
    }

private:
    friend class PickleReader;
    /// A snapshot has millions of dictionaries with the same few keys, and many equal lists. Keys are stored once for all
    /// dictionaries that have them, and equal lists once, if an opcode builds them complete. A container that is extended later
    /// is stored by itself.
    struct Container {
        static constexpr std::uint32_t grown = 0xffffffffU;
        const Value* values = nullptr; ///< elements, or values of a dictionary
        std::uint32_t size = 0;        ///< of `values`; `grown`: the container is `grown_[place]`
        std::uint32_t place = 0;       ///< of a dictionary: its `size` keys begin at `shapes_[place]`
    };
    std::string_view bytes_;
    std::vector<Container> containers_;
    std::vector<const Value*> shapes_;
    std::vector<std::vector<Value>> grown_; ///< extended containers; of dictionaries keys and values in turn
    std::vector<std::unique_ptr<Value[]>> blocks_;
    Value root_;
};

} // namespace stowage::pickle
