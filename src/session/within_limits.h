#pragma once

#include "base/limits.h"

#include <new>
#include <string>

namespace nestor::session {

/// Runs `work`. Empty, or the limit that was reached.
template <class Work>
std::string within_limits(Work work) {
  std::string reason;
  try {
    work();
    return reason;
  } catch (const base::LimitReached& limit) {
    reason = limit.reason;
  } catch (const std::bad_alloc&) {
    reason = "out of memory";
  }
  base::release_free_memory();
  return reason;
}

}  // namespace nestor::session
