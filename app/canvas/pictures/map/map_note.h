// A remark that the user left at a place of the map.
#pragma once

#include "core/ir/types.h"

#include <QString>

#include <string>

namespace stowage {

struct MapNote {
    int id = 0;       ///< 0: not kept yet
    std::string pool; ///< by name, so that it outlives a change of memories; empty: it belongs to the step alone
    Step step = 0;
    Bytes address = 0;
    QString text;

    friend bool operator==(const MapNote&, const MapNote&) = default;
};

} // namespace stowage
