#include "plugins/pytorch/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <unordered_map>

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
    PickleReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file)
    {
        document_.bytes_ = bytes;
        lists_.resize(std::bit_ceil(std::clamp<std::size_t>(bytes.size() / 256, 1'024, std::size_t{1} << 20)));
    }

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

    void failTooWide()
    {
        fail("an integer of more than 64 bits", "a memory snapshot has none: write it with torch.cuda.memory._dump_snapshot");
    }

    void integer(std::size_t count)
    {
        if (count > 8) {
            // Further bytes only give the sign: an address from 2^63 on is written with a ninth byte of 0.
            const std::uint64_t low = number(8);
            const std::uint64_t sign = number(1);
            bool fits = sign == 0 || (sign == 0xff && (low >> 63) != 0);
            for (std::size_t i = 9; i < count && !error_; ++i) fits = number(1) == sign && fits;
            if (!fits) return failTooWide();
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

    /// A new container with the values on top of the stack from `from` on, which go.
    void container(Kind kind, std::size_t from)
    {
        if (document_.containers_.size() >= maxContainers) return fail("more than 2^27 lists and dictionaries");
        Document::Container made;
        fill(made, kind, std::span<const Value>(stack_).subspan(from));
        stack_.resize(from);
        push({kind, 0, static_cast<std::int64_t>(document_.containers_.size())});
        document_.containers_.push_back(made);
    }
    void container(Kind kind) { container(kind, stack_.size()); }

    const Value* kept(std::span<const Value> values)
    {
        constexpr std::size_t block = 65'536;
        if (room_ < values.size()) {
            room_ = std::max(block, values.size());
            document_.blocks_.push_back(std::make_unique_for_overwrite<Value[]>(room_));
            next_ = document_.blocks_.back().get();
        }
        Value* const to = next_;
        std::copy(values.begin(), values.end(), to);
        next_ += values.size();
        room_ -= values.size();
        return to;
    }

    static std::uint64_t hashOf(std::span<const Value> values)
    {
        std::uint64_t hash = values.size();
        for (const Value& value : values) {
            hash = (hash ^ static_cast<std::uint64_t>(value.payload)) * 0x9e3779b97f4a7c15U;
            hash ^= hash >> 29;
        }
        return hash;
    }

    /// Values that were kept before, and are equal to these; else these are kept. `table` has an entry
    /// for each hash, and forgets the values that were there.
    const Value* keptOnce(std::vector<std::span<const Value>>& table, std::span<const Value> values)
    {
        std::span<const Value>& entry = table[hashOf(values) % table.size()];
        if (!std::equal(entry.begin(), entry.end(), values.begin(), values.end())) entry = {kept(values), values.size()};
        return entry.data();
    }

    /// What an empty container gets in one piece; of a dictionary `values` are keys and values in turn.
    void fill(Document::Container& made, Kind kind, std::span<const Value> values)
    {
        if (values.empty()) return;
        if (kind != Kind::dict) {
            const bool nested = std::ranges::all_of(values, [](const Value& value) { return value.kind >= Kind::list; });
            made.values = nested ? keptOnce(lists_, values) : kept(values);
            made.size = static_cast<std::uint32_t>(values.size());
            return;
        }
        keys_.clear();
        values_.clear();
        for (std::size_t i = 0; i < values.size(); i += 2) {
            keys_.push_back(values[i]);
            values_.push_back(values[i + 1]);
        }
        const Value* const keys = keptOnce(keySets_, keys_);
        const auto [shape, isNew] = shapes_.try_emplace(keys, static_cast<std::uint32_t>(document_.shapes_.size()));
        if (isNew) document_.shapes_.push_back(keys);
        made.place = shape->second;
        made.values = kept(values_);
        made.size = static_cast<std::uint32_t>(values_.size());
    }

    /// Adds the values on top of the stack, from `from` on, to the container below them; they go.
    void add(Kind kind, std::size_t from)
    {
        if (error_) return;
        if (from == 0 || stack_[from - 1].kind != kind)
            return fail(kind == Kind::dict ? "items are set in what is no dictionary" : "items are appended to what is no list");
        const auto values = std::span<const Value>(stack_).subspan(from);
        Document::Container& to = document_.containers_[static_cast<std::size_t>(stack_[from - 1].payload)];
        if (to.size == 0 && values.size() < Document::Container::grown) {
            fill(to, kind, values);
        } else {
            if (to.size != Document::Container::grown) {
                auto& all = document_.grown_.emplace_back();
                for (std::uint32_t i = 0; i < to.size; ++i) {
                    if (kind == Kind::dict) all.push_back(document_.shapes_[to.place][i]);
                    all.push_back(to.values[i]);
                }
                to = {nullptr, Document::Container::grown, static_cast<std::uint32_t>(document_.grown_.size() - 1)};
            }
            auto& all = document_.grown_[to.place];
            all.insert(all.end(), values.begin(), values.end());
        }
        stack_.resize(from);
    }

    /// Where what lies above the last mark begins; the mark goes.
    std::size_t aboveMark()
    {
        if (marks_.empty()) {
            fail("an opcode needs a mark, and there is none");
            return stack_.size();
        }
        const std::size_t from = marks_.back();
        marks_.pop_back();
        return from;
    }

    void addTop(Kind kind, std::size_t count)
    {
        if (stack_.size() - (marks_.empty() ? 0 : marks_.back()) < count)
            return fail("an opcode takes a value that is not on the stack");
        add(kind, stack_.size() - count);
    }

    void tuple(std::size_t count)
    {
        if (stack_.size() - (marks_.empty() ? 0 : marks_.back()) < count)
            return fail("an opcode takes a value that is not on the stack");
        container(Kind::tuple, stack_.size() - count);
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
            const std::size_t from = aboveMark();
            if (!error_) container(Kind::tuple, from);
            break;
        }
        case 0x85: tuple(1); break;
        case 0x86: tuple(2); break;
        case 0x87: tuple(3); break;
        case 's': {
            addTop(Kind::dict, 2);
            break;
        }
        case 'u':
        case 'e': {
            const std::size_t from = aboveMark();
            if (opcode == 'u' && (stack_.size() - from) % 2 != 0) return fail("a dictionary gets a key without a value");
            add(opcode == 'u' ? Kind::dict : Kind::list, from);
            break;
        }
        case 'a': {
            addTop(Kind::list, 1);
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
            if (length > 4096) return failTooWide();
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
    Value* next_ = nullptr;    ///< free places of the last block
    std::size_t room_ = 0;     ///< their count
    std::vector<std::span<const Value>> lists_;
    std::vector<std::span<const Value>> keySets_ = std::vector<std::span<const Value>>(1'024);
    std::unordered_map<const Value*, std::uint32_t> shapes_; ///< by keys: number in the document
    std::vector<Value> keys_;
    std::vector<Value> values_;
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
    if (value.kind != Kind::list && value.kind != Kind::tuple) return {};
    const Container& container = containers_[static_cast<std::size_t>(value.payload)];
    if (container.size == Container::grown) return grown_[container.place];
    return {container.values, container.size};
}

Value Document::find(Value dict, std::string_view key) const
{
    if (dict.kind != Kind::dict) return {};
    const Container& container = containers_[static_cast<std::size_t>(dict.payload)];
    if (container.size == Container::grown) {
        const auto& all = grown_[container.place];
        for (std::size_t i = all.size(); i >= 2; i -= 2)
            if (text(all[i - 2]) == key) return all[i - 1];
        return {};
    }
    const Value* const keys = container.size > 0 ? shapes_[container.place] : nullptr;
    for (std::size_t i = container.size; i > 0; --i)
        if (text(keys[i - 1]) == key) return container.values[i - 1];
    return {};
}

} // namespace stowage::pickle
