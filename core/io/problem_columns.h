// Finds the columns of problem and plan tables by their names.
#pragma once

#include "core/io/csv_reader.h"

#include <cstddef>
#include <optional>

namespace stowage::io {

/// The index of each column.
struct ProblemColumns {
    std::size_t id = 0;
    std::optional<std::size_t> lower, upper, size, alignment, gaps, offset, hint;
    bool inclusive = false; ///< the upper end is called `end` and is part of the live range

    /// Finds the columns of a problem in the header; `id`, `lower`, `upper` and `size` are required. Columns with unknown names
    /// are errors, unless the name begins with "x-".
    static Expected<ProblemColumns> ofProblem(const CsvReader& table);
    /// The same for a plan; `id` and `offset` are required.
    static Expected<ProblemColumns> ofPlan(const CsvReader& table);
};

} // namespace stowage::io
