// The table of pictures: one line for each (see app/canvas/kit/picture.h for how to add one). Window, command line, exporter,
// help and tests go through it, and know no picture by name.
#pragma once

#include "app/canvas/kit/picture.h"

#include <QString>

#include <memory>
#include <optional>
#include <span>

namespace stowage {

/// The window's tabs stand in the order of the table.
enum class PictureTab : std::uint8_t {
    always,  ///< a tab for every model
    applies, ///< a tab while `whyNot` has no objection
    never,   ///< only in files, or in a view that holds more than the picture
};

struct PictureEntry {
    const char* id;      ///< "heatmap": for `render --view`, `--view` of the window, and settings
    const char* title;   ///< "Heatmap": tab and menu
    const char* icon;    ///< of resources/icons
    const char* summary; ///< one line for help: "how full addresses are over time"
    const char* guide;   ///< page of resources/guide that F1 opens
    PictureTab tab;
    std::unique_ptr<Picture> (*make)();
    /// Why there is no picture of a source; nothing when there is one. Null: there is one of any run. O(ops). Called before
    /// `Picture::prepare`; what takes longer to find out is the scene's `error`. A picture of a run says so without one, see
    /// `whyNoRun`.
    std::optional<Error> (*whyNot)(const PictureSource& source);
    bool exports = true; ///< `render` writes it
    bool steps = false;  ///< its runs are planned with the planner's steps recorded
};

/// In the order of the tabs.
[[nodiscard]] std::span<const PictureEntry> pictureTable();
/// The entry with this id; null when there is none.
[[nodiscard]] const PictureEntry* pictureEntry(const QString& id);
/// The table's objection, or that there is no run; nothing when the picture can be made.
[[nodiscard]] std::optional<Error> whyNoPicture(const PictureEntry& entry, const PictureSource& source);

} // namespace stowage
