// Access to the flatbuffer of a model, which is verified as a whole before anything is read from it.
#pragma once

#include "core/ir/expected.h"

#include <memory>
#include <string>
#include <string_view>

namespace stowage::tflite {

namespace fb {
struct Model;
}

/// A verified flatbuffer. Refers to the bytes it was opened from, which must outlive it, or owns an aligned copy of them.
class Flatbuffer {
public:
    /// Errors name the byte, and the sub-graph, tensor or operator, at which the file is damaged.
    static Expected<Flatbuffer> open(std::string_view bytes, const std::string& file);

    [[nodiscard]] const fb::Model& model() const { return *model_; }
    /// The byte of the file at which an object of the flatbuffer begins.
    [[nodiscard]] std::int64_t position(const void* of) const { return static_cast<const char*>(of) - begin_; }

private:
    Flatbuffer() = default;

    std::shared_ptr<const char[]> copy_; ///< only if the given bytes are not aligned
    const char* begin_ = nullptr;
    const fb::Model* model_ = nullptr;
};

} // namespace stowage::tflite
