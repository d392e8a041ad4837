#include "strike.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {
// The allocation that fails is the one with which this becomes 0; at 0 none does.
std::atomic<std::uint64_t> allocations_left = 0;
std::atomic<bool> has_failed = false;

void* allocate(std::size_t size, std::size_t alignment) {
  if (allocations_left.load(std::memory_order_relaxed) != 0 &&
      allocations_left.fetch_sub(1, std::memory_order_relaxed) == 1) {
    has_failed = true;
    throw std::bad_alloc();
  }
  void* place = nullptr;
  if (alignment <= alignof(std::max_align_t)) {
    place = std::malloc(size == 0 ? 1 : size);
  } else if (posix_memalign(&place, alignment, size) != 0) {
    place = nullptr;
  }
  if (place == nullptr) {
    throw std::bad_alloc();
  }
  return place;
}
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  return allocate(size, 1);
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* place) noexcept {
  std::free(place);
}
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept {
  std::free(place);
}
[[gnu::noinline]] void operator delete(void* place, std::align_val_t) noexcept {
  std::free(place);
}
[[gnu::noinline]] void operator delete(void* place, std::size_t, std::align_val_t) noexcept {
  std::free(place);
}

namespace nestor::test {

Struck run_under(const Strike& strike, const std::function<void()>& work) {
  Struck struck;
  has_failed = false;
  allocations_left = strike.kind == Strike::Kind::Memory ? strike.at : 0;
  try {
    work();
  } catch (const base::LimitReached&) {
    struck.ended = true;
  } catch (const std::bad_alloc&) {
    struck.ended = true;
  }
  allocations_left = 0;
  struck.any = struck.ended || has_failed;
  return struck;
}

bool Report::count(std::string_view what, const Strike& strike, bool struck) {
  if (struck) {
    ++strikes_[fmt::format("{}, {}", what,
                           strike.kind == Strike::Kind::Steps ? "steps" : "memory")];
  }
  return struck;
}

void Report::sweep(std::string_view what, base::Random& random, std::size_t samples,
                   const std::function<bool(const Strike&)>& ask) {
  for (const Strike::Kind kind : {Strike::Kind::Steps, Strike::Kind::Memory}) {
    const auto strike_at = [&](std::uint64_t at) {
      const Strike strike{kind, at};
      now_ =
          fmt::format("{}, {} {}", what, kind == Strike::Kind::Steps ? "step" : "allocation", at);
      return count(what, strike, ask(strike));
    };
    std::uint64_t end = 1;
    while (strike_at(end)) {
      end *= 2;
    }
    for (std::size_t i = 0; i < samples && end > 1; ++i) {
      strike_at(random.between(1, end));
    }
  }
}

void Report::expect(bool condition, const std::function<std::string()>& problem) {
  if (!condition) {
    ++failures_;
    fmt::print("{}: {}\n", now_, problem());
    std::fflush(stdout);
  }
}

std::size_t Report::strikes() const {
  std::size_t sum = 0;
  for (const auto& [what, strikes] : strikes_) {
    sum += strikes;
  }
  return sum;
}

void Report::print() const {
  for (const auto& [what, strikes] : strikes_) {
    fmt::print("{:>7} {}\n", strikes, what);
  }
}

}  // namespace nestor::test
