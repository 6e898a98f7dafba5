// Moved down, as pictures write numbers too.
#pragma once

#include "app/canvas/number_text.h"
