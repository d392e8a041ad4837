#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

namespace nestor::base {

/// Blocks of memory that are taken and given back very often, by one thread: lists of free blocks
/// by size, a power of two. What was given back is kept for the next that asks, until the thread
/// ends, so a block must not outlive the thread that took it.
class BlockPool {
 public:
  static BlockPool& of_this_thread() {
    static thread_local BlockPool pool;
    return pool;
  }

  void* take(std::size_t bytes) {
    const std::size_t kind = kind_of(bytes);
    if (kind >= kKinds) {
      return ::operator new(bytes);
    }
    if (free_[kind] == nullptr) {
      refill(kind);
    }
    Free* block = free_[kind];
    free_[kind] = block->next;
    return block;
  }

  void give_back(void* block, std::size_t bytes) {
    const std::size_t kind = kind_of(bytes);
    if (kind >= kKinds) {
      ::operator delete(block);
      return;
    }
    free_[kind] = ::new (block) Free{free_[kind]};
  }

 private:
  struct Free {
    Free* next;
  };
  static constexpr std::size_t kSmallest = 16;     // bytes
  static constexpr std::size_t kKinds = 11;        // up to 16 KiB
  static constexpr std::size_t kChunk = 64 << 10;  // taken at a time

  static std::size_t kind_of(std::size_t bytes) {
    return bytes <= kSmallest ? 0
                              : static_cast<std::size_t>(std::bit_width((bytes - 1) / kSmallest));
  }

  void refill(std::size_t kind) {
    const std::size_t size = kSmallest << kind;
    chunks_.push_back(std::make_unique<std::byte[]>(kChunk));
    for (std::size_t at = kChunk; at >= size; at -= size) {
      free_[kind] = ::new (chunks_.back().get() + at - size) Free{free_[kind]};
    }
  }

  std::array<Free*, kKinds> free_ = {};
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
};

/// For containers whose memory comes and goes with every step of an exploration.
template <class T>
struct PoolAllocator {
  using value_type = T;
  using is_always_equal = std::true_type;

  PoolAllocator() = default;
  template <class Other>
  PoolAllocator(const PoolAllocator<Other>&) {}  // NOLINT: containers convert it

  T* allocate(std::size_t count) {
    return static_cast<T*>(BlockPool::of_this_thread().take(count * sizeof(T)));
  }
  void deallocate(T* block, std::size_t count) {
    BlockPool::of_this_thread().give_back(block, count * sizeof(T));
  }
  template <class Other>
  friend bool operator==(const PoolAllocator&, const PoolAllocator<Other>&) {
    return true;
  }
};

template <class T>
using PooledVector = std::vector<T, PoolAllocator<T>>;
template <class Key, class T>
using PooledMap = std::map<Key, T, std::less<Key>, PoolAllocator<std::pair<const Key, T>>>;
template <class Key>
using PooledSet = std::set<Key, std::less<Key>, PoolAllocator<Key>>;

}  // namespace nestor::base
