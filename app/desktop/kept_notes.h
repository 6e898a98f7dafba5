// Saves notes on maps in the user's settings, by file of the model.
#pragma once

#include "app/canvas/pictures/map/map_note.h"

#include <QString>

#include <vector>

namespace stowage {

/// Notes of at most `maxFiles` files, those that changed last. The model's file itself is never changed.
class KeptNotes {
public:
    static constexpr int maxFiles = 200;

    /// The notes of the model in the file `path` (in any spelling); may be empty.
    [[nodiscard]] static std::vector<MapNote> of(const QString& path);
    /// Replaces the notes of the file; without notes, removes the file's entry. No effect for a model without a file.
    static void keep(const QString& path, const std::vector<MapNote>& notes);
};

} // namespace stowage
