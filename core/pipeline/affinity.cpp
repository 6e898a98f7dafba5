#include "core/pipeline/affinity.h"

#include "core/ir/parsed_number.h"

#include <fmt/format.h>

#include <sched.h>
#include <sys/prctl.h>

namespace stowage::pipeline {

Diagnostics pinThread(pthread_t thread, std::string_view cores, std::int32_t stage)
{
    Diagnostics diagnostics;
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof(allowed), &allowed);
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    int count = 0;
    while (!cores.empty()) {
        const std::size_t comma = cores.find(',');
        std::string_view text = cores.substr(0, comma);
        cores = comma == std::string_view::npos ? std::string_view() : cores.substr(comma + 1);
        while (text.starts_with(' ')) text.remove_prefix(1);
        while (text.ends_with(' ')) text.remove_suffix(1);
        const int core = parsedNumber<int>(text).value_or(-1);
        if (core < 0) {
            diagnostics.push_back(warning(Code::badAffinity,
                                          fmt::format("stage {}: '{}' is not the number of a processor core", stage, text), {},
                                          "list cores as in \"0,1\""));
        } else if (core >= CPU_SETSIZE || !CPU_ISSET(core, &allowed)) {
            diagnostics.push_back(warning(Code::missingCore,
                                          fmt::format("stage {}: there is no processor core {} here", stage, core), {},
                                          "its thread runs on the other cores that are listed, or on any"));
        } else {
            CPU_SET(core, &wanted);
            ++count;
        }
    }
    if (count > 0 && pthread_setaffinity_np(thread, sizeof(wanted), &wanted) != 0)
        diagnostics.push_back(
            warning(Code::badAffinity, fmt::format("stage {}: its thread cannot be bound to its cores", stage)));
    return diagnostics;
}

Diagnostics pinThread(std::string_view cores, std::int32_t stage)
{
    return pinThread(pthread_self(), cores, stage);
}

void sleepPrecisely()
{
    prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL); // nanoseconds
}

} // namespace stowage::pipeline
