#include "app/session/regress/baseline.h"

#include "core/io/json_reader.h"
#include "core/io/json_writer.h"
#include "core/ir/checked.h"
#include "core/plan/report.h"
#include "core/plan/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace stowage {

namespace {

/// Appends a `Named` of each name with its bytes.
template <typename Named>
void readSizes(io::JsonReader& in, std::vector<Named>& to)
{
    in.object([&](std::string_view key) {
        std::string name(key);
        to.push_back(Named{std::move(name), in.integer(0, maxBytes)});
    });
}

template <typename Rows>
auto placeOf(Rows& rows, std::string_view key)
{
    return std::lower_bound(rows.begin(), rows.end(), key,
                            [](const BaselineRow& row, std::string_view wanted) { return row.key.compare(wanted) < 0; });
}

} // namespace

const SuiteFigures* Baseline::find(std::string_view key) const
{
    const auto found = placeOf(rows, key);
    return found != rows.end() && found->key == key ? &found->figures : nullptr;
}

std::span<const BaselineRow> Baseline::startingWith(std::string_view prefix) const
{
    const auto begin = placeOf(rows, prefix);
    const auto end =
        std::partition_point(begin, rows.end(), [prefix](const BaselineRow& row) { return row.key.starts_with(prefix); });
    return {begin, end};
}

void Baseline::put(const std::string& key, const SuiteFigures& figures)
{
    const auto place = placeOf(rows, key);
    if (place != rows.end() && place->key == key)
        place->figures = figures;
    else
        rows.insert(place, {key, figures});
}

bool Baseline::remove(std::string_view key)
{
    const auto place = placeOf(rows, key);
    if (place == rows.end() || place->key != key) return false;
    rows.erase(place);
    return true;
}

Expected<Baseline> readBaseline(std::string_view text, const std::string& file)
{
    io::JsonReader in(text, file);
    Baseline baseline;
    std::unordered_set<std::string> keys;
    in.object({"format", "rows"}, [&](std::string_view key) {
        if (key == "format")
            in.format("stowage.baseline/1");
        else if (key == "suite")
            in.read(baseline.suite);
        else if (key == "rows")
            in.array([&] {
                BaselineRow row;
                SuiteFigures& figures = row.figures;
                in.object({"key", "status", "size", "bound", "plan"}, [&](std::string_view name) {
                    if (name == "key")
                        in.read(row.key);
                    else if (name == "status")
                        in.read(figures.status, statusWords);
                    else if (name == "size")
                        in.read(figures.size, 0, maxBytes);
                    else if (name == "bound")
                        in.read(figures.bound, 0, maxBytes);
                    else if (name == "excess")
                        in.read(figures.excess, 0, maxBytes);
                    else if (name == "unknown_size_count")
                        in.read(figures.unknownSizes.emplace());
                    else if (name == "pools")
                        readSizes(in, figures.pools);
                    else if (name == "peak")
                        readSizes(in, figures.peak);
                    else if (name == "peak_count")
                        in.read(figures.peakCount.emplace());
                    else if (name == "stalls")
                        in.read(figures.stalls.emplace(), 0);
                    else if (name == "plan")
                        in.read(figures.plan);
                    else if (name == "version")
                        in.read(figures.version);
                    else if (name == "kept")
                        in.read(figures.kept);
                });
                if (in.ok() && !keys.insert(row.key).second)
                    in.fail(Code::keyTwice, fmt::format("the key \"{}\" stands twice", row.key));
                baseline.rows.push_back(std::move(row));
            });
    });
    if (!in.finish()) return in.error();
    std::ranges::sort(baseline.rows, {}, &BaselineRow::key);
    return baseline;
}

std::string writeBaseline(const Baseline& baseline)
{
    using io::JsonWriter;
    JsonWriter out;
    out.object([&] {
        out.field("format", "stowage.baseline/1");
        out.field("suite", baseline.suite);
        out.array("rows", [&] {
            for (const BaselineRow& row : baseline.rows)
                out.object(JsonWriter::compact, [&] {
                    const SuiteFigures& figures = row.figures;
                    out.field("key", row.key);
                    out.field("status", toText(figures.status));
                    out.field("size", figures.size);
                    out.field("bound", figures.bound);
                    if (figures.excess > 0) out.field("excess", figures.excess);
                    if (figures.unknownSizes) out.field("unknown_size_count", *figures.unknownSizes);
                    out.object("pools", [&] {
                        for (const PoolFigure& pool : figures.pools) out.field(pool.name, pool.size);
                    });
                    out.object("peak", [&] {
                        for (const auto& [name, bytes] : figures.peak) out.field(name, bytes);
                    });
                    if (figures.peakCount && figures.peak.size() >= maxPeakBuffers) out.field("peak_count", *figures.peakCount);
                    if (figures.stalls) out.field("stalls", *figures.stalls);
                    out.field("plan", figures.plan);
                    out.field("version", figures.version);
                    if (!figures.kept.empty()) out.field("kept", figures.kept);
                });
        });
    });
    return std::move(out).text();
}

} // namespace stowage
