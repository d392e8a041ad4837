#pragma once

#include "base/debug_assert.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <vector>

namespace nestor::base {

/// A dense 32-bit index whose type says what it counts: mixing a node and a box does not compile.
template <class Tag>
class Id {
 public:
  static constexpr std::uint32_t kInvalid = std::numeric_limits<std::uint32_t>::max();

  constexpr Id() = default;
  constexpr explicit Id(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {}

  constexpr std::uint32_t value() const { return value_; }
  constexpr bool valid() const { return value_ != kInvalid; }

  constexpr Id operator+(std::size_t offset) const { return Id(value_ + offset); }
  constexpr Id& operator++() {
    ++value_;
    return *this;
  }
  friend constexpr std::uint32_t operator-(Id a, Id b) { return a.value_ - b.value_; }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::uint32_t value_ = kInvalid;
};

/// The ids `first`, `first + 1`, …, up to but without `last`.
template <class IdT>
class IdRange {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = IdT;
    using difference_type = std::ptrdiff_t;
    using pointer = const IdT*;
    using reference = IdT;

    constexpr explicit Iterator(IdT id) : id_(id) {}
    constexpr IdT operator*() const { return id_; }
    constexpr Iterator& operator++() {
      ++id_;
      return *this;
    }
    friend constexpr bool operator==(Iterator, Iterator) = default;

   private:
    IdT id_;
  };

  constexpr IdRange(IdT first, IdT last) : first_(first), last_(last) {}
  constexpr Iterator begin() const { return Iterator(first_); }
  constexpr Iterator end() const { return Iterator(last_); }
  constexpr std::size_t size() const { return last_ - first_; }
  constexpr bool empty() const { return first_ == last_; }
  constexpr IdT front() const { return first_; }
  constexpr bool contains(IdT id) const { return first_ <= id && id < last_; }

 private:
  IdT first_;
  IdT last_;
};

/// A vector indexed by one kind of id only.
template <class IdT, class T>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(std::size_t size, T value = T()) : items_(size, value) {}

  typename std::vector<T>::reference operator[](IdT id) {
    NESTOR_DEBUG_ASSERT(id.value() < items_.size());
    return items_[id.value()];
  }
  typename std::vector<T>::const_reference operator[](IdT id) const {
    NESTOR_DEBUG_ASSERT(id.value() < items_.size());
    return items_[id.value()];
  }
  IdT push_back(T item) {
    items_.push_back(std::move(item));
    return IdT(items_.size() - 1);
  }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  void reserve(std::size_t size) { items_.reserve(size); }
  void resize(std::size_t size, T value = T()) { items_.resize(size, value); }
  void assign(std::size_t size, T value) { items_.assign(size, value); }
  void shrink_to_fit() { items_.shrink_to_fit(); }
  IdRange<IdT> ids() const { return {IdT(0), IdT(items_.size())}; }
  std::size_t memory_bytes() const { return items_.capacity() * sizeof(T); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  T& back() { return items_.back(); }
  const std::vector<T>& items() const { return items_; }

 private:
  std::vector<T> items_;
};

}  // namespace nestor::base

template <class Tag>
struct std::hash<nestor::base::Id<Tag>> {
  std::size_t operator()(nestor::base::Id<Tag> id) const noexcept { return id.value(); }
};
