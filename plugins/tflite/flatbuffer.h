// The one door to the flatbuffer: nothing of it is looked at before it was verified as a whole.
#pragma once

#include "core/ir/expected.h"

#include <memory>
#include <string>
#include <string_view>

namespace stowage::tflite {

namespace fb {
struct Model;
}

/// A verified flatbuffer. Views bytes that outlive it, or keeps an aligned copy of them.
class Flatbuffer {
public:
    /// Errors say at which byte, and inside which sub-graph, tensor or operator, the file is damaged.
    static Expected<Flatbuffer> open(std::string_view bytes, const std::string& file);

    [[nodiscard]] const fb::Model& model() const { return *model_; }
    /// Where in the file something of the flatbuffer lies.
    [[nodiscard]] std::int64_t position(const void* of) const { return static_cast<const char*>(of) - begin_; }

private:
    Flatbuffer() = default;

    std::shared_ptr<const char[]> copy_; ///< only when the bytes given are not aligned
    const char* begin_ = nullptr;
    const fb::Model* model_ = nullptr;
};

} // namespace stowage::tflite
