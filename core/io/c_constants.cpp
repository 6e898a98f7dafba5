#include "core/io/c_constants.h"

#include <fmt/format.h>

#include <string_view>

namespace stowage::io {

std::optional<Error> packConstants(const CSourceModel& source, CModel& model)
{
    const Problem& problem = source.run->problem();
    for (CPool& pool : model.pools) {
        if (pool.kind != PoolKind::constant || pool.size == 0) continue;
        std::size_t known = 0, all = 0;
        std::string_view unknown; // the name of the first one
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            if (source.run->plan.placements[b].pool != pool.id) continue;
            const Buffer& buffer = problem.buffers[b];
            ++all;
            const auto data = source.constants.find(buffer.name);
            if (data == source.constants.end()) {
                if (unknown.empty()) unknown = buffer.name;
                continue;
            }
            ++known;
            if (static_cast<Bytes>(data->second.size()) > buffer.size)
                return failure(Code::constantSize, fmt::format("constant '{}' has {} bytes, and the data given for it {}",
                                                               buffer.name, buffer.size, data->second.size()));
        }
        pool.packed = known == all;
        if (pool.packed) continue;
        const std::string& name = problem.pools[static_cast<std::size_t>(pool.id)].name;
        if (!pool.application)
            return failure(Code::constantsMissing,
                           fmt::format("{}: '{}' is an array of the generated source, and the data of {} of its {} constants is "
                                       "not known, among them '{}'",
                                       source.name, name, all - known, all, unknown),
                           {},
                           "name a folder with their data (--constants), or take \"internal\" from the pool: then the "
                           "application provides it");
        if (known > 0)
            model.diagnostics.push_back(warning(
                Code::constantsMissing, fmt::format("the data of {} of {} constants in {} is not known: the application fills it",
                                                    all - known, all, name)));
    }
    return std::nullopt;
}

} // namespace stowage::io
