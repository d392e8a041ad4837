#pragma once

#include <cassert>

/// An assertion in an accessor or an innermost loop. The program that users run has assertions, but
/// these would take a fifth of its time: only builds for debugging (presets dev, asan, tidy) have
/// them.
#ifdef NESTOR_DEBUG
#define NESTOR_DEBUG_ASSERT(condition) assert(condition)
#else
#define NESTOR_DEBUG_ASSERT(condition) static_cast<void>(sizeof(!(condition)))
#endif
