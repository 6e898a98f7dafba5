// Notes on maps between starts, in the user's settings, by the file that they are about.
#pragma once

#include "app/canvas/pictures/map/map_note.h"

#include <QString>

#include <vector>

namespace stowage {

/// Files with notes: two hundred at most, the last changed ones. The model's file itself is never touched.
class KeptNotes {
public:
    static constexpr int maxFiles = 200;

    /// Of the model in `path` (any spelling of it). Empty without one.
    [[nodiscard]] static std::vector<MapNote> of(const QString& path);
    /// Keeps these and no others; without any, the file is forgotten. Nothing for a model that has no file.
    static void keep(const QString& path, const std::vector<MapNote>& notes);
};

} // namespace stowage
