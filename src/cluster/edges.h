#pragma once

#include "base/limits.h"
#include "cluster/communicator.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace nestor::cluster {

/// A transition that leads to a state of this process, from one of a process that is known.
struct Edge {
  Word from = 0;
  Word to = 0;
  std::uint32_t marks = 0;  ///< fairness constraints that it satisfies
};

/// The transitions from one process in the order in which they came, five or six bytes each: a
/// process expands its states in the order of their numbers, so that the difference to the one
/// before is small. They lie in chunks, none across two of them.
class EdgeStream {
 public:
  explicit EdgeStream(bool marked) : marked_(marked) {}

  void append(const Edge& edge) {
    assert(edge.from >= last_from_);
    if (static_cast<std::size_t>(end_ - at_) < kMostBytes) {
      begin_chunk();
    }
    at_ = write_number(at_, edge.from - last_from_);
    last_from_ = edge.from;
    std::memcpy(at_, &edge.to, sizeof edge.to);
    at_ += sizeof edge.to;
    if (marked_) {
      at_ = write_number(at_, edge.marks);
    }
    ++size_;
  }
  std::size_t size() const { return size_; }
  std::size_t memory_bytes() const { return chunks_.size() * kChunk; }

  template <class Visit>
  void for_each(Visit visit) const {
    Word from = 0;
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      visit_chunk(c, from, visit);
    }
  }
  /// Likewise; what has been visited is given back.
  template <class Visit>
  void consume(Visit visit) {
    Word from = 0;
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      visit_chunk(c, from, visit);
      chunks_[c].bytes.reset();
    }
    chunks_.clear();
    at_ = end_ = nullptr;
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 18;
  static constexpr std::size_t kMostBytes = 5 + sizeof(Word) + 5;  // of one
  struct Chunk {
    std::unique_ptr<std::uint8_t[]> bytes;
    const std::uint8_t* end = nullptr;  // once it is full
  };

  void begin_chunk() {
    if (!chunks_.empty()) {
      chunks_.back().end = at_;
    }
    chunks_.push_back({std::make_unique_for_overwrite<std::uint8_t[]>(kChunk)});
    at_ = chunks_.back().bytes.get();
    end_ = at_ + kChunk;
  }
  template <class Visit>
  void visit_chunk(std::size_t c, Word& from, Visit visit) const {
    const std::uint8_t* at = chunks_[c].bytes.get();
    const std::uint8_t* const end = c + 1 < chunks_.size() ? chunks_[c].end : at_;
    while (at != end) {
      Edge edge;
      from += read_number(at);
      edge.from = from;
      std::memcpy(&edge.to, at, sizeof edge.to);
      at += sizeof edge.to;
      edge.marks = marked_ ? read_number(at) : 0;
      visit(edge);
    }
  }
  static std::uint8_t* write_number(std::uint8_t* at, std::uint32_t value) {
    for (; value >= 0x80; value >>= 7) {
      *at++ = static_cast<std::uint8_t>(value | 0x80U);
    }
    *at++ = static_cast<std::uint8_t>(value);
    return at;
  }
  static std::uint32_t read_number(const std::uint8_t*& at) {
    std::uint32_t value = 0;
    for (int shift = 0;; shift += 7) {
      const std::uint8_t next = *at++;
      value |= static_cast<std::uint32_t>(next & 0x7fU) << shift;
      if (next < 0x80) {
        return value;
      }
    }
  }

  bool marked_;
  std::vector<Chunk> chunks_;
  std::uint8_t* at_ = nullptr;  // in the last one
  std::uint8_t* end_ = nullptr;
  std::size_t size_ = 0;
  Word last_from_ = 0;
};

/// Where the transitions into each state of this process come from.
class Predecessors {
 public:
  Predecessors() = default;
  /// Takes the streams, one for each process, for `states` states. Throws LimitReached.
  Predecessors(std::vector<EdgeStream> streams, std::size_t states, bool marked,
               base::LimitGuard& guard);

  std::size_t edge_count() const { return from_.size(); }
  /// Calls visit(process, number) or visit(process, number, marks) for each.
  template <class Visit>
  void for_each(Word state, Visit visit) const {
    for (std::size_t e = begin_[state]; e < begin_[state + 1]; ++e) {
      visit(process(e), from_[e]);
    }
  }
  template <class Visit>
  void for_each_marked(Word state, Visit visit) const {
    for (std::size_t e = begin_[state]; e < begin_[state + 1]; ++e) {
      visit(process(e), from_[e], marks_[e]);
    }
  }
  std::size_t count(Word state) const { return begin_[state + 1] - begin_[state]; }

 private:
  int process(std::size_t e) const {
    return low_[e] | (high_.empty() ? 0 : static_cast<int>(high_[e]) << 8);
  }

  std::vector<Word> begin_;           // by state, and one more
  std::vector<Word> from_;            // by edge
  std::vector<std::uint8_t> low_;     // the process
  std::vector<std::uint8_t> high_;    // likewise, if there are more than 256
  std::vector<std::uint32_t> marks_;  // if there is fairness
};

}  // namespace nestor::cluster
