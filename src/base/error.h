#pragma once

#include <nestor/error.h>

namespace nestor::base {

// The library's exception is ours, too: caught only in the driver, and by other programs.
using nestor::Error;
using nestor::SourceLocation;
using nestor::to_string;

namespace detail {
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}

}  // namespace nestor::base

/// A cheap check that guards a verdict: stays on in release builds.
#define NESTOR_CHECK(condition)       \
  ((condition) ? static_cast<void>(0) \
               : ::nestor::base::detail::check_failed(#condition, __FILE__, __LINE__))
