// A note of the user at a place of the map.
#pragma once

#include "core/ir/types.h"

#include <QString>

#include <string>

namespace stowage {

struct MapNote {
    int id = 0;       ///< 0: not saved yet
    std::string pool; ///< by name, so that it survives a change of pools; empty: the note is on the step alone
    Step step = 0;
    Bytes address = 0;
    QString text;

    friend bool operator==(const MapNote&, const MapNote&) = default;
};

} // namespace stowage
