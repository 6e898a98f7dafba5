#include "plugins/tflite/flatbuffer.h"

#include "tflite_generated.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace stowage::tflite {
namespace {

constexpr std::size_t smallest = 8; ///< the root's offset and the identifier
constexpr std::size_t largest = FLATBUFFERS_MAX_BUFFER_SIZE - 1;
constexpr std::size_t alignment = 8; ///< of the widest number in it
constexpr auto damagedRemedy = "Get the file again: it is cut off, or was changed on its way.";

/// As many tables as fit into the file when none is shared: a file that names one table over and over costs no more than that,
/// and the default of a million would call a larger model damaged.
flatbuffers::Verifier verifier(std::string_view bytes)
{
    constexpr std::size_t smallestTable = 8; // with the offset that leads to it
    constexpr flatbuffers::uoffset_t depth = 64;
    return flatbuffers::Verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), depth,
                                 static_cast<flatbuffers::uoffset_t>(bytes.size() / smallestTable));
}

const flatbuffers::Table* tableAt(std::string_view bytes, std::size_t offset)
{
    return reinterpret_cast<const flatbuffers::Table*>(bytes.data() + offset);
}

/// Finds the innermost part that does not verify, by verifying part after part. Only for files that did not verify as a whole.
class DamageFinder {
public:
    DamageFinder(std::string_view bytes, std::size_t root) : bytes_(bytes), root_(root) {}

    struct Damage {
        std::string what;
        std::int64_t byte = -1;
    };

    Damage find()
    {
        place("the model's table", tableAt(bytes_, root_));
        auto check = verifier(bytes_);
        const auto* table = tableAt(bytes_, root_);
        if (!table->VerifyTableStart(check)) return found_;
        const auto* model = reinterpret_cast<const fb::Model*>(table);
        using fb::Model;
        if (damaged<fb::OperatorCode>(table, Model::VT_OPERATOR_CODES, "operator code", {})) return found_;
        if (damagedSubgraphs(table)) return found_;
        if (damaged<fb::Buffer>(table, Model::VT_BUFFERS, "buffer", {})) return found_;
        if (damaged<fb::Metadata>(table, Model::VT_METADATA, "metadata entry", {})) return found_;
        place("the model's table", model);
        return found_;
    }

private:
    void place(std::string what, const void* at)
    {
        const std::int64_t byte = static_cast<const char*>(at) - bytes_.data();
        found_ = {std::move(what), byte >= 0 && byte < static_cast<std::int64_t>(bytes_.size()) ? byte : -1};
    }

    /// The vector of tables in a field; null when the field is absent, or is damaged itself (then `found_` says so).
    template <typename T>
    const flatbuffers::Vector<flatbuffers::Offset<T>>* tables(const flatbuffers::Table* table, flatbuffers::voffset_t field,
                                                              const std::string& what, bool& bad)
    {
        auto check = verifier(bytes_);
        bad = !table->VerifyOffset(check, field);
        const auto* vector = bad ? nullptr : table->GetPointer<const flatbuffers::Vector<flatbuffers::Offset<T>>*>(field);
        bad = bad || !check.VerifyVector(vector);
        if (bad) place("the list of " + what + "s", table);
        return bad ? nullptr : vector;
    }

    template <typename T>
    bool damaged(const flatbuffers::Table* table, flatbuffers::voffset_t field, const std::string& what, const std::string& of)
    {
        bool bad = false;
        const auto* vector = tables<T>(table, field, what, bad);
        auto check = verifier(bytes_); // one for all: it counts tables, which bounds the work on lists that name one thing often
        for (flatbuffers::uoffset_t i = 0; vector != nullptr && i < vector->size(); ++i) {
            if (vector->Get(i)->Verify(check)) continue;
            place(what + " " + std::to_string(i) + of, vector->Get(i));
            return true;
        }
        return bad;
    }

    bool damagedSubgraphs(const flatbuffers::Table* model)
    {
        bool bad = false;
        const auto* vector = tables<fb::SubGraph>(model, fb::Model::VT_SUBGRAPHS, "sub-graph", bad);
        auto check = verifier(bytes_);
        for (flatbuffers::uoffset_t i = 0; vector != nullptr && i < vector->size(); ++i) {
            const auto* subgraph = vector->Get(i);
            if (subgraph->Verify(check)) continue;
            const std::string name = "sub-graph " + std::to_string(i);
            const auto* table = reinterpret_cast<const flatbuffers::Table*>(subgraph);
            auto start = verifier(bytes_);
            const bool readable = table->VerifyTableStart(start);
            if (readable && damaged<fb::Tensor>(table, fb::SubGraph::VT_TENSORS, "tensor", " of " + name)) return true;
            if (readable && damaged<fb::Operator>(table, fb::SubGraph::VT_OPERATORS, "operator", " of " + name)) return true;
            place(name, subgraph);
            return true;
        }
        return bad;
    }

    std::string_view bytes_;
    std::size_t root_;
    Damage found_;
};

std::string printable(std::string_view text)
{
    std::string shown(text);
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return c < 0x20 || c > 0x7e; }, '?');
    return shown;
}

} // namespace

Expected<Flatbuffer> Flatbuffer::open(std::string_view bytes, const std::string& file)
{
    const auto at = [&](std::int64_t byte) { return Position{file, 0, 0, byte}; };
    if (bytes.empty()) return failure(Code::notTflite, "the file is empty", at(0), damagedRemedy);
    if (bytes.size() < smallest)
        return failure(Code::notTflite,
                       "the file has only " + std::to_string(bytes.size()) + " bytes, too few for a TensorFlow Lite model",
                       at(static_cast<std::int64_t>(bytes.size())), damagedRemedy);
    if (bytes.substr(4, 4) != fb::ModelIdentifier())
        return failure(Code::notTflite,
                       "the file's identifier is \"" + printable(bytes.substr(4, 4)) + "\", not \"" + fb::ModelIdentifier() +
                           "\"",
                       at(4), "Open a model that was converted to TensorFlow Lite (version 3 of the schema).");

    bytes = bytes.substr(0, largest); // in larger files only weights come after them
    Flatbuffer opened;
    opened.begin_ = bytes.data();
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment != 0) {
        const std::shared_ptr<char[]> copy(new (std::align_val_t{alignment}) char[bytes.size()],
                                           [](char* p) { ::operator delete[](p, std::align_val_t{alignment}); });
        std::memcpy(copy.get(), bytes.data(), bytes.size());
        opened.copy_ = copy;
        opened.begin_ = copy.get();
        bytes = {copy.get(), bytes.size()};
    }

    const auto root = flatbuffers::ReadScalar<flatbuffers::uoffset_t>(bytes.data());
    if (root < smallest || root > bytes.size() - sizeof(flatbuffers::soffset_t))
        return failure(Code::damaged,
                       "the file is damaged: its root lies at byte " + std::to_string(root) + " of " +
                           std::to_string(bytes.size()),
                       at(0), damagedRemedy);
    if (auto check = verifier(bytes); !fb::VerifyModelBuffer(check)) {
        auto damage = DamageFinder(bytes, root).find();
        return failure(Code::damaged, "the file is damaged: " + damage.what + " does not lie inside it as it should",
                       at(damage.byte), damagedRemedy);
    }
    opened.model_ = fb::GetModel(bytes.data());
    return opened;
}

} // namespace stowage::tflite
