// Where threads run, and how exactly they sleep. Linux.
#pragma once

#include "core/ir/diagnostic.h"

#include <pthread.h>
#include <string_view>

namespace stowage::pipeline {

/// Lets a thread run on the cores of a list ("0,1") only. A core that the machine does not have, or a list that is none, is a
/// warning, and the thread runs on the other cores of the list, or anywhere.
Diagnostics pinThread(pthread_t thread, std::string_view cores, std::int32_t stage);
/// The same for the calling thread.
Diagnostics pinThread(std::string_view cores, std::int32_t stage);

/// Sleeps of the calling thread end within microseconds of their time; Linux adds 50 µs otherwise.
void sleepPrecisely();

} // namespace stowage::pipeline
