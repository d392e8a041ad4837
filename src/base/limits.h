#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <nestor/settings.h>
#include <string>

namespace nestor::base {

using nestor::Limits;

/// Thrown by LimitGuard::tick() and caught where one check ends: the verdict is then `unknown`.
/// It is not an Error: running out of time is a result.
struct LimitReached {
  std::string reason;
};

/// Watches the limits of one check from the loops of an engine. One guard a thread.
class LimitGuard {
 public:
  /// Throws LimitReached if the check is cancelled already: many small ones would not notice.
  explicit LimitGuard(const Limits& limits);

  /// Call once for each bounded piece of work (about a microsecond or less of it).
  void tick() {
    if (--countdown_ == 0) {
      look();
    }
  }
  /// Call for `work` pieces at once.
  void tick(std::size_t work) {
    if (work >= countdown_) {
      steps_ += work - countdown_;
      look();
    } else {
      countdown_ -= static_cast<std::uint32_t>(work);
    }
  }
  /// The pieces so far. Threads that share one check have copies of its guard, and its own one
  /// counts in the end what they have done: so the sum does not depend on their number.
  std::uint64_t steps() const { return steps_ - countdown_; }
  /// Call before allocating something large: ends the check if it would pass the memory limit.
  void reserve(std::size_t bytes);

 private:
  void look();
  void look_after(std::uint64_t steps);
  void look_for_cancellation() const;
  void look_at_memory(std::size_t more);

  static constexpr std::uint32_t kTicksBetweenLooks = 4096;

  std::uint32_t countdown_ = 0;  // pieces until the next look
  std::uint64_t steps_ = 0;      // pieces when it comes to that
  Limits limits_;
  std::chrono::steady_clock::time_point start_;
};

/// Call before `list`, a vector that may become large, gets one more item: asks for what it is then
/// going to allocate.
template <class List>
void reserve_one_more(const List& list, LimitGuard& guard) {
  if (list.size() == list.capacity()) {
    guard.reserve(2 * list.capacity() * sizeof(typename List::value_type));
  }
}

/// Keeps what is freed for what is allocated next, instead of giving large arrays back to the
/// system and having it clear the pages of the next ones. Not for a process with a memory limit:
/// what is kept is resident.
void keep_free_memory();

/// Gives memory that is free back to the system. For when a check has ended at the memory limit:
/// what it leaves must not count against the next one.
void release_free_memory();

/// Resident memory of this process now, and the largest it has been, in bytes. 0 where unknown.
std::size_t resident_bytes();
std::size_t peak_resident_bytes();

}  // namespace nestor::base
