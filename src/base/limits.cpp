#include "base/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace nestor::base {

namespace {
constexpr std::size_t kMegabyte = std::size_t{1} << 20;
// Smaller arrays are left to the next look: together they come to little before it.
constexpr std::size_t kWorthALook = std::size_t{1} << 18;
}  // namespace

LimitGuard::LimitGuard(const Limits& limits) : limits_(limits), start_(limits.now()) {
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
  if (limits_.seconds &&
      std::chrono::duration<double>(limits_.now() - start_).count() > *limits_.seconds) {
    throw LimitReached{fmt::format("timeout after {} s", *limits_.seconds)};
  }
  if (limits_.megabytes) {
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

// Of mimalloc, if the program allocates by it; of glibc otherwise.
extern "C" [[gnu::weak]] void mi_collect(bool force);

void keep_free_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

void release_free_memory() {
  if (mi_collect != nullptr) {
    mi_collect(true);
    return;
  }
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// Without a stream, whose making takes several times as long: each look at the limits asks.
std::size_t resident_bytes() {
  std::array<char, 64> text{};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file == -1) {
    return 0;
  }
  const ssize_t size = read(file, text.data(), text.size() - 1);
  close(file);
  const char* const resident = size > 0 ? std::strchr(text.data(), ' ') : nullptr;
  return resident == nullptr ? 0
                             : std::strtoull(resident, nullptr, 10) *
                                   static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
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
