// Binds threads to processor cores and makes their sleeps precise. Linux only.
#pragma once

#include "core/ir/diagnostic.h"

#include <pthread.h>
#include <string_view>

namespace stowage::pipeline {

/// Restricts `thread` to the processor cores that `cores` lists ("0,1"); an empty list changes nothing. `stage` is named in the
/// messages. Each entry that is no number, and each core that the machine does not have, gives a warning and is ignored; without
/// a usable entry the thread keeps the cores that it had.
Diagnostics pinThread(pthread_t thread, std::string_view cores, std::int32_t stage);
/// The same for the calling thread.
Diagnostics pinThread(std::string_view cores, std::int32_t stage);

/// Sets the timer slack of the calling thread to 1 µs, so that its sleeps end within microseconds of the requested time. Linux's
/// default slack is 50 µs.
void sleepPrecisely();

} // namespace stowage::pipeline
