#include "plugins/pytorch/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace stowage::pickle {

namespace {

constexpr std::size_t maxContainers = std::size_t{1} << 27;
constexpr std::size_t maxMemo = std::size_t{1} << 28;

/// Why an opcode is refused: these would run code or need objects of Python.
std::string_view nameOfRefused(unsigned char opcode)
{
    switch (opcode) {
    case 'c': return "GLOBAL";
    case 'R': return "REDUCE";
    case 'b': return "BUILD";
    case 'i': return "INST";
    case 'o': return "OBJ";
    case 0x81: return "NEWOBJ";
    case 0x92: return "NEWOBJ_EX";
    case 0x93: return "STACK_GLOBAL";
    case 'P': return "PERSID";
    case 'Q': return "BINPERSID";
    case 0x82: return "EXT1";
    case 0x83: return "EXT2";
    case 0x84: return "EXT4";
    case 0x97: return "NEXT_BUFFER";
    case 0x98: return "READONLY_BUFFER";
    default: return {};
    }
}

} // namespace

/// One pass over the opcodes.
class PickleReader {
public:
    PickleReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) { document_.bytes_ = bytes; }

    Expected<Document> read()
    {
        while (!error_ && !stopped_) step();
        if (error_) return *std::move(error_);
        return std::move(document_);
    }

private:
    void fail(std::string message, std::string remedy = {})
    {
        if (!error_)
            error_ = failure(Code::badPickle, std::move(message), {file_, 0, 0, static_cast<std::int64_t>(opcodeAt_)},
                             std::move(remedy));
    }

    /// The next `count` bytes, little endian, as an unsigned number.
    std::uint64_t number(std::size_t count)
    {
        std::uint64_t value = 0;
        if (bytes_.size() - at_ < count) {
            fail("the pickle ends in the middle of an opcode", "fetch or write the file again");
            return 0;
        }
        for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes_[at_ + i])} << (8 * i);
        at_ += count;
        return value;
    }

    void push(Value value) { stack_.push_back(value); }
    Value pop()
    {
        if (stack_.empty() || (!marks_.empty() && stack_.size() <= marks_.back())) {
            fail("an opcode takes a value that is not on the stack");
            return {};
        }
        const Value value = stack_.back();
        stack_.pop_back();
        return value;
    }

    void integer(std::size_t count)
    {
        if (count > 8) {
            // A ninth byte that only repeats the sign is written for numbers of 64 bits.
            const std::size_t from = at_;
            const std::uint64_t low = number(8);
            if (error_) return;
            const std::uint64_t sign = low >> 63;
            for (std::size_t i = 8; i < count && !error_; ++i)
                if (number(1) != (sign != 0 ? 0xffU : 0U)) {
                    at_ = from;
                    return fail("an integer of more than 64 bits");
                }
            return push({Kind::integer, 0, static_cast<std::int64_t>(low)});
        }
        std::uint64_t value = number(count);
        if (count > 0 && count < 8 && (value >> (8 * count - 1)) != 0) value |= ~std::uint64_t{0} << (8 * count);
        push({Kind::integer, 0, static_cast<std::int64_t>(value)});
    }

    void text(std::uint64_t length)
    {
        if (error_) return;
        if (length > bytes_.size() - at_ || length > 0xffffffffU) return fail("a text is longer than the file");
        push({Kind::text, static_cast<std::uint32_t>(length), static_cast<std::int64_t>(at_)});
        at_ += length;
    }

    void container(Kind kind, std::vector<Value> items = {})
    {
        if (document_.containers_.size() >= maxContainers) return fail("more than 2^27 lists and dictionaries");
        push({kind, 0, static_cast<std::int64_t>(document_.containers_.size())});
        document_.containers_.push_back(std::move(items));
    }

    /// The container on top of the stack, or null after an error.
    std::vector<Value>* top(Kind kind)
    {
        if (error_) return nullptr;
        if (stack_.empty() || stack_.back().kind != kind) {
            fail(kind == Kind::dict ? "items are set in what is no dictionary" : "items are appended to what is no list");
            return nullptr;
        }
        return &document_.containers_[static_cast<std::size_t>(stack_.back().payload)];
    }

    /// What lies above the last mark; the mark goes.
    std::vector<Value> aboveMark()
    {
        if (marks_.empty()) {
            fail("an opcode needs a mark, and there is none");
            return {};
        }
        const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        std::vector<Value> values(from, stack_.end());
        stack_.erase(from, stack_.end());
        marks_.pop_back();
        return values;
    }

    void tuple(std::size_t count)
    {
        std::vector<Value> values(count);
        for (std::size_t i = count; i-- > 0;) values[i] = pop();
        if (!error_) container(Kind::tuple, std::move(values));
    }

    void put(std::uint64_t index)
    {
        if (error_) return;
        if (index >= maxMemo || index > memo_.size() + 1'000'000)
            return fail(fmt::format("memo entry {} is out of reach", index));
        if (stack_.empty()) return fail("nothing is there to be remembered");
        if (index >= memo_.size()) memo_.resize(index + 1);
        memo_[index] = stack_.back();
        memoNext_ = std::max(memoNext_, static_cast<std::size_t>(index) + 1);
    }
    void get(std::uint64_t index)
    {
        if (error_) return;
        if (index >= memo_.size()) return fail(fmt::format("memo entry {} was never made", index));
        push(memo_[index]);
    }

    void step()
    {
        opcodeAt_ = at_;
        const auto opcode = static_cast<unsigned char>(number(1));
        if (error_) return;
        switch (opcode) {
        case 0x80: {
            const std::uint64_t protocol = number(1);
            if (!error_ && (protocol < 2 || protocol > 5))
                fail(fmt::format("pickle protocol {} is not read", protocol), "protocols 2 to 5 are");
            break;
        }
        case 0x95: number(8); break; // FRAME: only a hint for buffering
        case '.':
            document_.root_ = pop();
            stopped_ = true;
            break;
        case '(': marks_.push_back(stack_.size()); break;
        case 0x94: put(memoNext_); break;
        case 'q': put(number(1)); break;
        case 'r': put(number(4)); break;
        case 'h': get(number(1)); break;
        case 'j': get(number(4)); break;
        case '}': container(Kind::dict); break;
        case ']': container(Kind::list); break;
        case ')': container(Kind::tuple); break;
        case 't': {
            auto values = aboveMark();
            if (!error_) container(Kind::tuple, std::move(values));
            break;
        }
        case 0x85: tuple(1); break;
        case 0x86: tuple(2); break;
        case 0x87: tuple(3); break;
        case 's': {
            const Value value = pop();
            const Value key = pop();
            if (auto* items = top(Kind::dict)) items->insert(items->end(), {key, value});
            break;
        }
        case 'u':
        case 'e': {
            const auto values = aboveMark();
            if (opcode == 'u' && values.size() % 2 != 0) return fail("a dictionary gets a key without a value");
            if (auto* items = top(opcode == 'u' ? Kind::dict : Kind::list))
                items->insert(items->end(), values.begin(), values.end());
            break;
        }
        case 'a': {
            const Value value = pop();
            if (auto* items = top(Kind::list)) items->push_back(value);
            break;
        }
        case 'N': push({}); break;
        case 0x88: push({Kind::boolean, 0, 1}); break;
        case 0x89: push({Kind::boolean, 0, 0}); break;
        case 'J': integer(4); break;
        case 'K': push({Kind::integer, 0, static_cast<std::int64_t>(number(1))}); break;
        case 'M': push({Kind::integer, 0, static_cast<std::int64_t>(number(2))}); break;
        case 0x8a: integer(number(1)); break;
        case 0x8b: {
            const std::uint64_t length = number(4);
            if (length > 4096) return fail("an integer of more than 64 bits");
            integer(length);
            break;
        }
        case 'G': {
            std::uint64_t bits = 0;
            for (int i = 0; i < 8; ++i) bits = bits << 8 | number(1);
            push({Kind::real, 0, static_cast<std::int64_t>(bits)});
            break;
        }
        case 'X': text(number(4)); break;
        case 0x8c: text(number(1)); break;
        case 0x8d: text(number(8)); break;
        default:
            if (const auto name = nameOfRefused(opcode); !name.empty())
                return fail(
                    fmt::format("opcode {} (0x{:02x}) would make Python import or call something: it is refused", name, opcode),
                    "memory snapshots need no such opcode; do not load this file anywhere");
            fail(fmt::format("opcode 0x{:02x} is none that a memory snapshot has", opcode),
                 "is this a pickle of a memory snapshot?");
        }
    }

    std::string_view bytes_;
    const std::string& file_;
    std::size_t at_ = 0;
    std::size_t opcodeAt_ = 0;
    bool stopped_ = false;
    std::optional<Error> error_;
    std::vector<Value> stack_;
    std::vector<std::size_t> marks_;
    std::vector<Value> memo_;
    std::size_t memoNext_ = 0; ///< where MEMOIZE puts
    Document document_;
};

Expected<Document> Document::read(std::string_view bytes, const std::string& file)
{
    return PickleReader(bytes, file).read();
}

std::string_view Document::text(Value value) const
{
    if (value.kind != Kind::text) return {};
    return bytes_.substr(static_cast<std::size_t>(value.payload), value.length);
}

std::span<const Value> Document::items(Value value) const
{
    if (value.kind != Kind::list && value.kind != Kind::tuple && value.kind != Kind::dict) return {};
    return containers_[static_cast<std::size_t>(value.payload)];
}

Value Document::find(Value dict, std::string_view key) const
{
    if (dict.kind != Kind::dict) return {};
    const auto all = items(dict);
    for (std::size_t i = all.size(); i >= 2; i -= 2)
        if (text(all[i - 2]) == key) return all[i - 1];
    return {};
}

} // namespace stowage::pickle
