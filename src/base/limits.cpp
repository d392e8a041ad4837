#include "base/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace nestor::base {

namespace {
constexpr std::chrono::milliseconds kBetweenMemoryLooks{2};
constexpr std::size_t kMegabyte = std::size_t{1} << 20;
// Smaller arrays are left to the next look: together they come to little before it.
constexpr std::size_t kWorthALook = std::size_t{1} << 18;
}  // namespace

LimitGuard::LimitGuard(const Limits& limits)
    : limits_(limits), start_(limits.now()), next_memory_look_(start_ + kBetweenMemoryLooks) {
  look_after(0);
  look_for_cancellation();
}

/// The next look comes with the step that is one too many, if not earlier.
void LimitGuard::look_after(std::uint64_t steps) {
  countdown_ = kTicksBetweenLooks;
  if (limits_.steps) {
    const std::uint64_t left = *limits_.steps - std::min(steps, *limits_.steps);
    countdown_ = left < countdown_ ? static_cast<std::uint32_t>(left) + 1 : countdown_;
  }
  steps_ = steps + countdown_;
}

void LimitGuard::look() {
  const std::uint64_t steps = steps_;
  look_after(steps);
  if (limits_.steps && steps > *limits_.steps) {
    throw LimitReached{fmt::format("more than {} steps", *limits_.steps)};
  }
  look_for_cancellation();
  if (!limits_.seconds && !limits_.megabytes) {
    return;
  }
  const auto now = limits_.now();
  if (limits_.seconds && std::chrono::duration<double>(now - start_).count() > *limits_.seconds) {
    throw LimitReached{fmt::format("timeout after {} s", *limits_.seconds)};
  }
  if (limits_.megabytes && now >= next_memory_look_) {
    next_memory_look_ = now + kBetweenMemoryLooks;
    look_at_memory(0);
  }
}

void LimitGuard::look_for_cancellation() const {
  if (limits_.is_cancelled()) {
    throw LimitReached{"cancelled"};
  }
}

void LimitGuard::reserve(std::size_t bytes) {
  if (limits_.megabytes && bytes >= kWorthALook) {
    look_at_memory(bytes);
  }
}

void LimitGuard::look_at_memory(std::size_t more) {
  if (resident_bytes() + more > *limits_.megabytes * kMegabyte) {
    throw LimitReached{fmt::format("memory over {} MB", *limits_.megabytes)};
  }
}

void keep_free_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

void release_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t peak_resident_bytes() {
  // Not getrusage(): its peak includes that of the process which started this one.
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) {
      return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
    }
  }
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) {
    return 0;
  }
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace nestor::base
