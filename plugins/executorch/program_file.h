// Access to the flatbuffer of an ExecuTorch program, which is verified as a whole before anything is read from it.
#pragma once

#include "core/ir/expected.h"

#include <memory>
#include <string>
#include <string_view>

namespace stowage::executorch {

namespace fb {
struct Program;
}

/// A verified program. Owns an aligned copy of the flatbuffer, without the segments of weights after it.
class ProgramFile {
public:
    /// Takes the bytes of a `.pte` (with or without the extended header), or of a `.bpte` that contains one. Errors, with the
    /// byte: a file that ends early, sizes in the header beyond the end of the file, a table outside the flatbuffer.
    static Expected<ProgramFile> open(std::string_view bytes, const std::string& file);

    [[nodiscard]] const fb::Program& program() const { return *program_; }
    /// The byte of the file at which an object of the flatbuffer begins.
    [[nodiscard]] std::int64_t position(const void* of) const { return first_ + (static_cast<const char*>(of) - copy_.get()); }

private:
    ProgramFile() = default;

    std::shared_ptr<const char[]> copy_;
    std::int64_t first_ = 0; ///< byte of the file at which the copy begins
    const fb::Program* program_ = nullptr;
};

/// How likely it is that a file that begins with `head` is a program: 0 to 100.
int claimsProgram(std::string_view head, std::string_view path);

} // namespace stowage::executorch
