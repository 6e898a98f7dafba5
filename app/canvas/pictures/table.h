// The table of pictures: one line for each (see app/canvas/kit/picture.h for how to add one). The window, the command line, the
// exporter, the help and the tests use only the table, and name no picture.
#pragma once

#include "app/canvas/kit/picture.h"

#include <QString>

#include <memory>
#include <optional>
#include <span>

namespace stowage {

/// When the window has a tab for a picture. Tabs are in the order of the table.
enum class PictureTab : std::uint8_t {
    always,  ///< a tab for every model
    applies, ///< a tab while `whyNot` gives no error
    never,   ///< only in files, or in a view with further parts
};

struct PictureEntry {
    const char* id;      ///< "heatmap": for `render --view`, `--view` of the window, and settings
    const char* title;   ///< "Heatmap": tab and menu
    const char* icon;    ///< of resources/icons
    const char* summary; ///< one line for help: "how full addresses are over time"
    const char* guide;   ///< page of resources/guide that F1 opens
    PictureTab tab;
    std::unique_ptr<Picture> (*make)();
    /// The reason why there is no picture of a source; no value if there is one. Null: every run has one. O(ops). Called before
    /// `Picture::prepare`; reasons that take longer to find become the scene's `error`. Pictures of runs need not check for a
    /// missing run, see `whyNoRun`.
    std::optional<Error> (*whyNot)(const PictureSource& source);
    bool exports = true; ///< `render` writes it
    bool steps = false;  ///< needs runs with recorded steps
};

/// In the order of the tabs.
[[nodiscard]] std::span<const PictureEntry> pictureTable();
/// The entry with this id; null if there is none.
[[nodiscard]] const PictureEntry* pictureEntry(const QString& id);
/// The error of the table, or of a missing run; no value if the picture can be made.
[[nodiscard]] std::optional<Error> whyNoPicture(const PictureEntry& entry, const PictureSource& source);

} // namespace stowage
