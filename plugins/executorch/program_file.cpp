#include "plugins/executorch/program_file.h"

#include "program_generated.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

namespace stowage::executorch {

namespace {

constexpr std::size_t smallest = 8;         ///< the root's offset and the identifier
constexpr std::size_t headerAt = 8;         ///< of the extended header, where there is one
constexpr std::size_t shortestHeader = 24;  ///< "eh00", its length, the program's size, where the segments begin
constexpr std::size_t longestHeader = 4096; ///< those that exist have at most 32
constexpr std::size_t alignment = 16;       ///< of the widest number in it, with room
constexpr std::string_view programMark = "ET";
constexpr std::string_view bundleMark = "BP08";
constexpr auto damagedRemedy = "Get the file again: it is cut off, or was changed on its way.";

bool isProgram(std::string_view bytes)
{
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return bytes.size() >= smallest && bytes.substr(4, 2) == programMark && digit(bytes[6]) && digit(bytes[7]);
}

template <typename T>
T numberAt(std::string_view bytes, std::size_t offset)
{
    return flatbuffers::ReadScalar<T>(bytes.data() + offset);
}

Position byteOf(const std::string& file, std::size_t byte)
{
    return {file, 0, 0, static_cast<std::int64_t>(byte)};
}

/// As many tables as fit into the file when none is shared: a file that names one table over and over costs no more than that.
flatbuffers::Verifier verifierOf(std::string_view bytes)
{
    constexpr std::size_t smallestTable = 8; // with the offset that leads to it
    constexpr flatbuffers::uoffset_t depth = 64;
    return flatbuffers::Verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), depth,
                                 static_cast<flatbuffers::uoffset_t>(bytes.size() / smallestTable));
}

/// Bytes at an address with the alignment of flatbuffers.
struct AlignedBytes {
    std::shared_ptr<const char[]> bytes;
    std::string_view view;
};

AlignedBytes alignedCopy(std::string_view bytes)
{
    const std::shared_ptr<char[]> copy(new (std::align_val_t{alignment}) char[bytes.size()],
                                       [](char* p) { ::operator delete[](p, std::align_val_t{alignment}); });
    std::memcpy(copy.get(), bytes.data(), bytes.size());
    return {copy, {copy.get(), bytes.size()}};
}

/// The root's table lies inside the bytes, so that the verifier may be asked about it.
bool rootInside(std::string_view bytes)
{
    const auto root = numberAt<flatbuffers::uoffset_t>(bytes, 0);
    return root >= smallest && bytes.size() >= smallest + sizeof(flatbuffers::soffset_t) &&
           root <= bytes.size() - sizeof(flatbuffers::soffset_t);
}

/// The flatbuffer alone: with an extended header, as many bytes as that says.
Expected<std::string_view> withoutSegments(std::string_view bytes, const std::string& file)
{
    if (bytes.size() < headerAt + shortestHeader || bytes.substr(headerAt, 4) != "eh00") return bytes;
    const auto length = numberAt<std::uint32_t>(bytes, headerAt + 4);
    const auto size = numberAt<std::uint64_t>(bytes, headerAt + 8);
    if (length < shortestHeader || length > longestHeader)
        return failure(Code::damaged, fmt::format("the file's header says that it has {} bytes itself", length),
                       byteOf(file, headerAt + 4), damagedRemedy);
    if (size < headerAt + length || size > bytes.size())
        return failure(
            Code::damaged,
            fmt::format("the file's header says that the program has {} bytes, but the file has {}", size, bytes.size()),
            byteOf(file, headerAt + 8), damagedRemedy);
    return bytes.substr(0, size);
}

} // namespace

int claimsProgram(std::string_view head, std::string_view path)
{
    if (isProgram(head) || (head.size() >= smallest && head.substr(4, 4) == bundleMark)) return 100;
    return path.ends_with(".pte") || path.ends_with(".bpte") ? 30
                                                             : 0; // damaged, most likely: say so better than the others would
}

Expected<ProgramFile> ProgramFile::open(std::string_view bytes, const std::string& file)
{
    ProgramFile opened;
    std::string_view program = bytes;
    std::optional<AlignedBytes> bundle; // kept until the program in it is copied
    if (bytes.size() >= smallest && bytes.substr(4, 4) == bundleMark) {
        bundle = alignedCopy(bytes.substr(0, FLATBUFFERS_MAX_BUFFER_SIZE - 1));
        if (!rootInside(bundle->view))
            return failure(Code::damaged, "the bundle is damaged: its root does not lie inside the file", byteOf(file, 0),
                           damagedRemedy);
        auto check = verifierOf(bundle->view);
        if (!check.VerifyBuffer<fb::Bundle>(nullptr))
            return failure(Code::damaged, "the bundle is damaged: a table of it does not lie inside the file", byteOf(file, 0),
                           damagedRemedy);
        const auto* inside = flatbuffers::GetRoot<fb::Bundle>(bundle->view.data())->program();
        if (inside == nullptr || inside->size() == 0)
            return failure(Code::empty, "the bundle has no program in it", byteOf(file, 0), "Open the .pte file instead.");
        program = {reinterpret_cast<const char*>(inside->data()), inside->size()};
        opened.first_ = program.data() - bundle->view.data();
    }
    const auto first = static_cast<std::size_t>(opened.first_);
    if (program.size() < smallest)
        return failure(Code::cutOff, fmt::format("the file has only {} bytes, too few for an ExecuTorch program", program.size()),
                       byteOf(file, first + program.size()), damagedRemedy);
    if (!isProgram(program))
        return failure(Code::damaged, "the file's identifier is not that of an ExecuTorch program (ET12)",
                       byteOf(file, first + 4), "Export the model again with to_executorch().");
    auto flat = withoutSegments(program, file);
    if (!flat) return std::move(flat).error();
    const AlignedBytes copy =
        alignedCopy(flat->substr(0, FLATBUFFERS_MAX_BUFFER_SIZE - 1)); // weights of larger files lie after it
    if (!rootInside(copy.view))
        return failure(Code::damaged, "the file is damaged: its root does not lie inside it", byteOf(file, first), damagedRemedy);
    if (auto check = verifierOf(copy.view); !check.VerifyBuffer<fb::Program>(nullptr))
        return failure(Code::damaged, "the file is damaged: a table of its program does not lie inside it as it should",
                       byteOf(file, first), damagedRemedy);
    opened.copy_ = copy.bytes;
    opened.program_ = fb::GetProgram(copy.view.data());
    return opened;
}

} // namespace stowage::executorch
