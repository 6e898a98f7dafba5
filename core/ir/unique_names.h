// Makes the names of one scope unique.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace stowage {

/// The names that are taken in one scope, for example by the tensors of a function. No name becomes free again. The search for a
/// free number therefore continues where the last search with the same stem ended, and n equal names take O(n) instead of O(n^2).
class UniqueNames {
public:
    /// Takes `name`. False if it is taken already.
    bool insert(const std::string& name) { return taken_.insert(name).second; }

    /// Takes the first free name of `stem` with the numbers 2, 3, … after it, and returns this name.
    std::string numbered(const std::string& stem)
    {
        std::int64_t& number = next_.try_emplace(stem, 2).first->second;
        std::string name = stem + std::to_string(number);
        while (!insert(name)) name = stem + std::to_string(++number);
        ++number;
        return name;
    }

    /// Takes `name`, or, if it is taken, the first free one of "name#2", "name#3", … Returns the name that it took.
    std::string take(const std::string& name) { return insert(name) ? name : numbered(name + '#'); }

private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::int64_t> next_; ///< by stem: all smaller numbers are taken
};

} // namespace stowage
