#include "app/session/build_id.h"

#include "app/session/file_hash.h"
#include "core/plan/report.h"

#include <QByteArray>
#include <QFile>
#include <QFileInfo>

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

namespace stowage {

namespace {

using ElfHeader = ElfW(Ehdr);
using ElfSegment = ElfW(Phdr);
using ElfNote = ElfW(Nhdr);

/// Reads a value at a place of a file; false past its end.
template <typename T>
bool readAt(QFile& file, std::uint64_t offset, T& to)
{
    return offset < static_cast<std::uint64_t>(file.size()) && file.seek(static_cast<qint64>(offset)) &&
           file.read(reinterpret_cast<char*>(&to), sizeof to) == static_cast<qint64>(sizeof to);
}

/// Names and contents of notes take whole words.
std::uint64_t wholeWords(std::uint64_t bytes)
{
    return (bytes + 3) / 4 * 4;
}

/// The build id among the notes of a segment, as hexadecimal digits; empty if it is not there.
std::string buildIdIn(const QByteArray& notes)
{
    const auto size = static_cast<std::uint64_t>(notes.size());
    for (std::uint64_t at = 0; at + sizeof(ElfNote) <= size;) {
        ElfNote note{};
        std::memcpy(&note, notes.constData() + at, sizeof note);
        const std::uint64_t name = at + sizeof note, content = name + wholeWords(note.n_namesz);
        if (content + note.n_descsz > size) return {};
        const bool gnu =
            note.n_namesz == sizeof ELF_NOTE_GNU && std::memcmp(notes.constData() + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0;
        if (gnu && note.n_type == NT_GNU_BUILD_ID)
            return notes.mid(static_cast<qsizetype>(content), static_cast<qsizetype>(note.n_descsz)).toHex().toStdString();
        at = content + wholeWords(note.n_descsz);
    }
    return {};
}

/// The GNU build id of an ELF file of this machine, as hexadecimal digits; empty if it has none.
std::string gnuBuildId(QFile& file)
{
    constexpr std::uint64_t maxNotes = 1 << 16; ///< bytes
    ElfHeader header{};
    if (!readAt(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32))
        return {};
    for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
        ElfSegment segment{};
        if (!readAt(file, header.e_phoff + i * sizeof segment, segment)) return {};
        const bool inside = segment.p_offset < static_cast<std::uint64_t>(file.size());
        if (segment.p_type != PT_NOTE || segment.p_filesz > maxNotes || !inside) continue;
        if (!file.seek(static_cast<qint64>(segment.p_offset))) return {};
        if (std::string id = buildIdIn(file.read(static_cast<qint64>(segment.p_filesz))); !id.empty()) return id;
    }
    return {};
}

} // namespace

const char* programVersion()
{
    return STOWAGE_VERSION;
}

std::optional<std::string> fileVersion(const QString& path)
{
    if (!QFileInfo(path).isFile()) return std::nullopt; // a FIFO would be waited for
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    if (const std::string id = gnuBuildId(file); !id.empty()) return fmt::format("{} {}", id, file.size());
    std::string hash = fileHash(path);
    if (hash.empty()) return std::nullopt;
    return hash;
}

QString coreFile()
{
    Dl_info info{};
    Report (*const anyOfIt)(const Problem&, const Plan&) = &evaluate; // any function of the core tells the file that it is in
    if (dladdr(reinterpret_cast<const void*>(anyOfIt), &info) == 0 || !info.dli_fname) return {};
    return QString::fromLocal8Bit(info.dli_fname);
}

QString programFile()
{
    return QStringLiteral("/proc/self/exe");
}

const std::string& buildId()
{
    static const std::string id = [] {
        const std::string hash = fileHash(coreFile());
        return hash.empty() ? std::string("unknown") : hash.substr(0, 16);
    }();
    return id;
}

} // namespace stowage
