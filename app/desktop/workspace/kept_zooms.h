// The zooms of the open models, by view. A canvas shows one model at a time, and would forget the range of the others.
#pragma once

#include "app/session/session_file.h"

#include <map>
#include <string>
#include <utility>

namespace stowage {

class KeptZooms {
public:
    /// The zooms of a model by id of the view; a view that shows everything may be missing.
    [[nodiscard]] SessionZooms of(int model) const
    {
        const auto known = models_.find(model);
        return known == models_.end() ? SessionZooms() : known->second;
    }
    /// Empty: the view shows everything.
    [[nodiscard]] SessionZoom of(int model, const std::string& view) const
    {
        SessionZooms zooms = of(model);
        return std::move(zooms[view]);
    }
    void put(int model, SessionZooms zooms) { models_.insert_or_assign(model, std::move(zooms)); }
    void put(int model, const std::string& view, SessionZoom zoom) { models_[model].insert_or_assign(view, std::move(zoom)); }
    void forget(int model, const std::string& view)
    {
        if (const auto known = models_.find(model); known != models_.end()) known->second.erase(view);
    }
    void forget(int model) { models_.erase(model); }
    /// The file of `from` was read again, as the model `to`.
    void hand(int from, int to)
    {
        if (const auto known = models_.find(from); known != models_.end()) put(to, known->second);
    }

private:
    std::map<int, SessionZooms> models_;
};

} // namespace stowage
