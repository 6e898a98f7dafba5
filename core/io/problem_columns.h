// The columns of problem and plan tables, with their alternative names.
#pragma once

#include "core/io/csv_reader.h"

#include <cstddef>
#include <optional>

namespace stowage::io {

/// Where each column is.
struct ProblemColumns {
    std::size_t id = 0;
    std::optional<std::size_t> lower, upper, size, alignment, gaps, offset, hint;
    bool inclusive = false; ///< the upper end is called `end`, and belongs to the range

    /// Finds the columns in the header. Columns of other names are errors, but for those that begin with "x-".
    /// `id`, `lower`, `upper` and `size` are there.
    static Expected<ProblemColumns> ofProblem(const CsvReader& table);
    /// The same, but only `id` and `offset` are there.
    static Expected<ProblemColumns> ofPlan(const CsvReader& table);
};

} // namespace stowage::io
