// What is certain about the figures of a fit, and the sentences that say it.
#include "app/session/fit.h"
#include "core/ir/digits.h"
#include "core/ir/figures.h"

#include <fmt/format.h>

#include <string_view>

namespace stowage {

namespace {

std::string_view runtimeWords(Runtime runtime)
{
    return runtime == Runtime::tflm ? "TFLM's greedy planner" : "ExecuTorch's greedy planner";
}

} // namespace

bool isMinimum(const Fit& fit, const FitRow& row)
{
    return row.partial || (fit.runtime == Runtime::tflm && !(row.scratch && row.tail));
}

std::optional<bool> certainFit(const Fit& fit, const FitRow& row)
{
    if (row.fits.value_or(false) && isMinimum(fit, row)) return std::nullopt;
    return row.fits;
}

std::string missingParts(const Fit& fit, const FitRow& row)
{
    std::vector<std::string_view> parts;
    if (row.partial) parts.emplace_back("tensors of unknown size");
    if (fit.runtime == Runtime::tflm && !row.scratch) parts.emplace_back("scratch");
    if (fit.runtime == Runtime::tflm && !row.tail) parts.emplace_back("the tail");
    std::string words;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) words += i + 1 < parts.size() ? ", " : " and ";
        words += parts[i];
    }
    return words;
}

std::string minimumHead(const Fit& fit)
{
    const FitRow& best = fit.best();
    if (!isMinimum(fit, best)) return {};
    if (!best.partial && !best.scratch && !best.tail) return "Tensors alone: ";
    return fmt::format("Without {}: ", missingParts(fit, best));
}

std::string gainLine(const Fit& fit)
{
    const FitRow& best = fit.best();
    if (fit.runtime == Runtime::unknown)
        return fmt::format("{} needs {} B, the least of {}", best.planner, grouped(best.arena),
                           counted(static_cast<std::int64_t>(fit.rows.size()), "planner"));
    const bool smallest = best.tensors + best.scratch.value_or(0) == fit.bound && !best.partial;
    if (fit.saved() > 0)
        return fmt::format("{} needs {} B, a plan in the file {} B: {} less", runtimeWords(fit.runtime),
                           grouped(fit.runtimes().arena), grouped(best.arena), percent(fit.saved()));
    // With several memories, the smaller sum may be that of a plan that does not fit one of them.
    if (fit.answer != 0 && !fit.runtimes().fits.value_or(true))
        return fmt::format("{} needs {} B, which do not fit; a plan in the file needs {} B", runtimeWords(fit.runtime),
                           grouped(fit.runtimes().arena), grouped(best.arena));
    return fmt::format("{} needs {} B, {}", runtimeWords(fit.runtime), grouped(fit.runtimes().arena),
                       smallest ? "and no plan needs less" : "and no smaller plan was found");
}

} // namespace stowage
