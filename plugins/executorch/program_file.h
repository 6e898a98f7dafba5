// The one door to the flatbuffer of an ExecuTorch program: nothing of it is looked at before it was verified as a whole.
#pragma once

#include "core/ir/expected.h"

#include <memory>
#include <string>
#include <string_view>

namespace stowage::executorch {

namespace fb {
struct Program;
}

/// A verified program; an aligned copy of the flatbuffer's bytes, without the segments of weights that lie after it.
class ProgramFile {
public:
    /// Takes a `.pte` (with or without the extended header), or a `.bpte` with one inside. Errors give the byte: a file that ends
    /// early, sizes in the header that the file does not have, a table that does not lie inside.
    static Expected<ProgramFile> open(std::string_view bytes, const std::string& file);

    [[nodiscard]] const fb::Program& program() const { return *program_; }
    /// Byte of the file where something of the flatbuffer lies.
    [[nodiscard]] std::int64_t position(const void* of) const { return first_ + (static_cast<const char*>(of) - copy_.get()); }

private:
    ProgramFile() = default;

    std::shared_ptr<const char[]> copy_;
    std::int64_t first_ = 0; ///< byte of the file at which the copy begins
    const fb::Program* program_ = nullptr;
};

/// How sure it is that a file that begins with `head` is a program: 0 to 100.
int claimsProgram(std::string_view head, std::string_view path);

} // namespace stowage::executorch
