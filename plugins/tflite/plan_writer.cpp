#include "plugins/tflite/plan_writer.h"

#include "plugins/tflite/flatbuffer.h"

#include "tflite_generated.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace stowage::tflite {
namespace {

constexpr std::string_view metadataName = "OfflineMemoryAllocation";
constexpr std::int32_t planVersion = 1;
constexpr std::size_t headerWords = 3; ///< version, sub-graphs, tensors
constexpr std::size_t largestFile = FLATBUFFERS_MAX_BUFFER_SIZE - 1;
constexpr std::size_t moveUnit = 64; ///< the old file moves by a multiple of this: its alignments stay
constexpr std::size_t dataAlignment = 16;
constexpr std::size_t modelFields = 8;          ///< version … signature_defs
constexpr std::size_t operatorLargeOptions = 9; ///< large_custom_options_offset, by its id in Operator
/// Fields of Model by id.
struct ModelField {
    static constexpr std::size_t version = 0, buffers = 4, metadata = 6;
};

constexpr flatbuffers::voffset_t vtableEntry(std::size_t field)
{
    return static_cast<flatbuffers::voffset_t>(2 * sizeof(flatbuffers::voffset_t) + field * sizeof(flatbuffers::voffset_t));
}

template <typename T>
std::uint32_t countOf(const flatbuffers::Vector<T>* vector)
{
    return vector != nullptr ? vector->size() : 0;
}

bool isPlan(const fb::Metadata& entry)
{
    return entry.name() != nullptr && entry.name()->string_view() == metadataName;
}

/// Bytes that are written front to back, little endian; a number may be filled in later.
class Front {
public:
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    void alignTo(std::size_t unit) { bytes_.resize((bytes_.size() + unit - 1) / unit * unit); }
    void text(std::string_view text) { bytes_ += text; }
    template <typename T>
    std::size_t number(T value)
    {
        const std::size_t at = bytes_.size();
        bytes_.resize(at + sizeof(T));
        flatbuffers::WriteScalar(bytes_.data() + at, value);
        return at;
    }
    /// Makes the offset at `at` lead to `target`, both from the new file's begin.
    void lead(std::size_t at, std::size_t target)
    {
        flatbuffers::WriteScalar(bytes_.data() + at, static_cast<flatbuffers::uoffset_t>(target - at));
    }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

class PlanWriter {
public:
    PlanWriter(std::string_view bytes, const std::string& file, const Flatbuffer& flatbuffer,
               std::span<const std::int32_t> offsets)
        : bytes_(bytes), file_(file), flatbuffer_(flatbuffer), model_(flatbuffer.model()), offsets_(offsets)
    {
    }

    Expected<Rewritten> run()
    {
        Rewritten rewritten;
        if (const auto place = oldNumbers()) {
            rewritten.text = bytes_;
            for (std::size_t t = 0; t < offsets_.size(); ++t)
                flatbuffers::WriteScalar(rewritten.text.data() + *place + t * sizeof(std::int32_t), offsets_[t]);
            return rewritten;
        }
        if (auto error = obstacle()) return *std::move(error);
        const std::string front = newFront();
        if (front.size() > largestFile || bytes_.size() > largestFile - front.size())
            return failure(Code::fileTooLarge,
                           fmt::format("with the plan in it the file comes to {} bytes, and a flatbuffer ends at {}",
                                       bytes_.size() + front.size(), largestFile),
                           at(&model_), "A microcontroller's model is smaller: quantize it, or split it.");
        rewritten.text.reserve(front.size() + bytes_.size());
        rewritten.text = front;
        rewritten.text += bytes_;
        if (const auto archive = zipArchive())
            rewritten.diagnostics.push_back(warning(
                Code::fileChanged,
                fmt::format("a zip archive follows the model; it moves by {} bytes, and the offsets stored in it do not",
                            front.size()),
                {file_, 0, 0, static_cast<std::int64_t>(*archive)}, "Common readers mend that; 'zip -A' does it for good."));
        return rewritten;
    }

private:
    [[nodiscard]] Position at(const void* of) const { return {file_, 0, 0, flatbuffer_.position(of)}; }
    [[nodiscard]] std::size_t planWords() const { return headerWords + offsets_.size(); }

    /// Where the numbers of a plan for as many tensors begin in the file; nothing when it has none that can be overwritten alone.
    [[nodiscard]] std::optional<std::size_t> oldNumbers() const
    {
        const fb::Metadata* found = nullptr;
        for (std::uint32_t i = 0; i < countOf(model_.metadata()); ++i) {
            const fb::Metadata& entry = *model_.metadata()->Get(i);
            if (!isPlan(entry)) continue;
            if (found != nullptr) return std::nullopt; // readers differ in which one counts
            found = &entry;
        }
        if (found == nullptr || found->buffer() >= countOf(model_.buffers())) return std::nullopt;
        const fb::Buffer* buffer = model_.buffers()->Get(found->buffer());
        if (countOf(buffer->data()) < planWords() * sizeof(std::int32_t) || usedElsewhere(found, buffer)) return std::nullopt;
        const std::uint8_t* data = buffer->data()->data();
        const auto tensors = flatbuffers::ReadScalar<std::int32_t>(data + (headerWords - 1) * sizeof(std::int32_t));
        if (tensors < 0 || static_cast<std::size_t>(tensors) != offsets_.size()) return std::nullopt;
        return static_cast<std::size_t>(flatbuffer_.position(data)) + headerWords * sizeof(std::int32_t);
    }

    /// Whether something besides the metadata entry `own` reads the bytes of `buffer`.
    [[nodiscard]] bool usedElsewhere(const fb::Metadata* own, const fb::Buffer* buffer) const
    {
        const auto overlaps = [&](const fb::Buffer* other) {
            if (other->data() == nullptr) return false;
            const auto *first = buffer->data()->data(), *begin = other->data()->data();
            return begin < first + buffer->data()->size() && first < begin + other->data()->size();
        };
        for (std::uint32_t i = 0; i < countOf(model_.buffers()); ++i)
            if (i != own->buffer() && overlaps(model_.buffers()->Get(i))) return true;
        for (std::uint32_t i = 0; i < countOf(model_.metadata()); ++i) {
            const fb::Metadata* entry = model_.metadata()->Get(i);
            if (entry != own && entry->buffer() == own->buffer()) return true;
        }
        for (std::uint32_t g = 0; g < countOf(model_.subgraphs()); ++g) {
            const auto* tensors = model_.subgraphs()->Get(g)->tensors();
            for (std::uint32_t t = 0; t < countOf(tensors); ++t)
                if (tensors->Get(t)->buffer() == own->buffer()) return true;
        }
        return false;
    }

    /// Why the old file cannot be moved; positions that count from its begin would be wrong.
    [[nodiscard]] std::optional<Error> obstacle() const
    {
        const auto* root = reinterpret_cast<const flatbuffers::Table*>(&model_);
        const flatbuffers::voffset_t tableSize = flatbuffers::ReadScalar<flatbuffers::voffset_t>(root->GetVTable());
        for (std::size_t field = modelFields; vtableEntry(field) < tableSize; ++field)
            if (root->GetOptionalFieldOffset(vtableEntry(field)) != 0)
                return failure(
                    Code::notSupported,
                    fmt::format("the model has a field {} that is newer than this writer, which cannot copy it", field),
                    at(&model_), "Convert the model with the version of TensorFlow Lite that the runtime has.");
        // Nobody has verified the fields that the schema leaves out.
        for (std::size_t field = 0; field < modelFields; ++field) {
            const flatbuffers::voffset_t place = root->GetOptionalFieldOffset(vtableEntry(field));
            if (place == 0) continue;
            const auto size = static_cast<std::int64_t>(bytes_.size() - sizeof(flatbuffers::uoffset_t));
            const std::int64_t position = flatbuffer_.position(root) + place;
            if (position <= size &&
                (field == ModelField::version || flatbuffer_.position(root->GetPointer<const void*>(vtableEntry(field))) <= size))
                continue;
            return failure(Code::damaged, fmt::format("the file is damaged: field {} of the model lies outside it", field),
                           at(&model_), "Get the file again: it is cut off, or was changed on its way.");
        }
        for (std::uint32_t i = 0; i < countOf(model_.buffers()); ++i)
            if (model_.buffers()->Get(i)->offset() > 1) return outside(fmt::format("buffer {}", i), model_.buffers()->Get(i));
        for (std::uint32_t g = 0; g < countOf(model_.subgraphs()); ++g) {
            const auto* operators = model_.subgraphs()->Get(g)->operators();
            for (std::uint32_t o = 0; o < countOf(operators); ++o) {
                const auto* table = reinterpret_cast<const flatbuffers::Table*>(operators->Get(o));
                if (table->GetOptionalFieldOffset(vtableEntry(operatorLargeOptions)) != 0)
                    return outside(fmt::format("operator {} of sub-graph {}", o, g), table);
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] Error outside(const std::string& what, const void* of) const
    {
        return failure(Code::notSupported,
                       what +
                           " has data after the flatbuffer, at a position counted from the file's begin, which a plan would move",
                       at(of), "TensorFlow Lite Micro does not run such models: convert it with its data inside (below 2 GiB).");
    }

    /// The begin of the new file, up to where the old one follows.
    [[nodiscard]] std::string newFront() const
    {
        // Inside the old file positions grow by the size of this front, which is known at the end only: they are filled in there.
        struct OldTarget {
            std::size_t at = 0;
            std::int64_t position = 0;
        };
        std::vector<OldTarget> old;
        Front front;
        const auto oldOffset = [&](const void* of) {
            old.push_back({front.number<flatbuffers::uoffset_t>(0), flatbuffer_.position(of)});
        };

        const std::size_t root = front.number<flatbuffers::uoffset_t>(0);
        front.text(fb::ModelIdentifier());
        // The model's table: the fields of the old one, and buffers and metadata in any case. All are 4 bytes.
        const auto* model = reinterpret_cast<const flatbuffers::Table*>(&model_);
        std::array<bool, modelFields> present{};
        std::size_t count = 0;
        for (std::size_t field = 0; field < modelFields; ++field) {
            present[field] = field == ModelField::buffers || field == ModelField::metadata ||
                             model->GetOptionalFieldOffset(vtableEntry(field)) != 0;
            if (present[field]) ++count;
        }
        const std::size_t vtable = front.size();
        front.number(vtableEntry(modelFields));
        front.number(static_cast<flatbuffers::voffset_t>(sizeof(flatbuffers::soffset_t) + count * sizeof(std::uint32_t)));
        std::size_t place = sizeof(flatbuffers::soffset_t);
        for (const bool has : present) {
            front.number(static_cast<flatbuffers::voffset_t>(has ? place : 0));
            if (has) place += sizeof(std::uint32_t);
        }
        front.alignTo(sizeof(flatbuffers::soffset_t));
        const std::size_t table = front.size();
        front.lead(root, table);
        front.number(static_cast<flatbuffers::soffset_t>(table - vtable));
        std::size_t toBuffers = 0, toMetadata = 0;
        for (std::size_t field = 0; field < modelFields; ++field) {
            if (!present[field]) continue;
            if (field == ModelField::version)
                front.number(model_.version());
            else if (field == ModelField::buffers)
                toBuffers = front.number<flatbuffers::uoffset_t>(0);
            else if (field == ModelField::metadata)
                toMetadata = front.number<flatbuffers::uoffset_t>(0);
            else
                oldOffset(model->GetPointer<const void*>(vtableEntry(field)));
        }

        const std::uint32_t bufferCount = countOf(model_.buffers());
        front.lead(toBuffers, front.number(bufferCount + 1));
        for (std::uint32_t i = 0; i < bufferCount; ++i) oldOffset(model_.buffers()->Get(i));
        const std::size_t toBuffer = front.number<flatbuffers::uoffset_t>(0);

        std::vector<const fb::Metadata*> kept;
        for (std::uint32_t i = 0; i < countOf(model_.metadata()); ++i) {
            const fb::Metadata* entry = model_.metadata()->Get(i);
            const bool first = !std::ranges::any_of(kept, [](const auto* other) { return other == nullptr; });
            if (!isPlan(*entry))
                kept.push_back(entry);
            else if (first)
                kept.push_back(nullptr); // the new one takes its place
        }
        if (std::ranges::none_of(kept, [](const auto* entry) { return entry == nullptr; })) kept.push_back(nullptr);
        front.lead(toMetadata, front.number(static_cast<std::uint32_t>(kept.size())));
        std::size_t toEntry = 0;
        for (const fb::Metadata* entry : kept) {
            if (entry != nullptr)
                oldOffset(entry);
            else
                toEntry = front.number<flatbuffers::uoffset_t>(0);
        }

        // Metadata {name, buffer}.
        const std::size_t entryVtable = front.size();
        for (const int number : {8, 12, 4, 8}) front.number(static_cast<flatbuffers::voffset_t>(number));
        const std::size_t entry = front.number(static_cast<flatbuffers::soffset_t>(front.size() - entryVtable));
        front.lead(toEntry, entry);
        const std::size_t toName = front.number<flatbuffers::uoffset_t>(0);
        front.number(bufferCount);
        front.lead(toName, front.number(static_cast<std::uint32_t>(metadataName.size())));
        front.text(metadataName);
        front.number(char{0});
        front.alignTo(sizeof(std::uint32_t));
        // Buffer {data}, whose elements are aligned to 16.
        const std::size_t bufferVtable = front.size();
        for (const int number : {6, 8, 4}) front.number(static_cast<flatbuffers::voffset_t>(number));
        front.alignTo(sizeof(flatbuffers::soffset_t));
        const std::size_t buffer = front.number(static_cast<flatbuffers::soffset_t>(front.size() - bufferVtable));
        front.lead(toBuffer, buffer);
        const std::size_t toData = front.number<flatbuffers::uoffset_t>(0);
        while ((front.size() + sizeof(std::uint32_t)) % dataAlignment != 0) front.number(std::uint8_t{0});
        front.lead(toData, front.number(static_cast<std::uint32_t>(planWords() * sizeof(std::int32_t))));
        front.number(planVersion);
        front.number(static_cast<std::int32_t>(countOf(model_.subgraphs())));
        front.number(static_cast<std::int32_t>(offsets_.size()));
        for (const std::int32_t offset : offsets_) front.number(offset);
        front.alignTo(moveUnit);

        for (const OldTarget& target : old) front.lead(target.at, front.size() + static_cast<std::size_t>(target.position));
        return front.take();
    }

    /// Where the end record of a zip archive begins that ends with the file.
    [[nodiscard]] std::optional<std::size_t> zipArchive() const
    {
        constexpr std::size_t record = 22, longestComment = 65535;
        constexpr std::string_view signature("PK\5\6", 4);
        if (bytes_.size() < record) return std::nullopt;
        const std::size_t first = bytes_.size() - std::min(bytes_.size(), record + longestComment);
        for (std::size_t place = bytes_.size() - record + 1; place-- > first;) {
            if (bytes_.substr(place, signature.size()) != signature) continue;
            const auto comment = flatbuffers::ReadScalar<std::uint16_t>(bytes_.data() + place + record - 2);
            if (place + record + comment == bytes_.size()) return place;
        }
        return std::nullopt;
    }

    std::string_view bytes_;
    const std::string& file_;
    const Flatbuffer& flatbuffer_;
    const fb::Model& model_;
    std::span<const std::int32_t> offsets_;
};

} // namespace

Expected<Rewritten> writeOfflinePlan(std::string_view bytes, const std::string& file, std::span<const std::int32_t> offsets)
{
    const auto flatbuffer = Flatbuffer::open(bytes, file);
    if (!flatbuffer) return flatbuffer.error();
    return PlanWriter(bytes, file, *flatbuffer, offsets).run();
}

} // namespace stowage::tflite
