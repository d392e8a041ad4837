#pragma once

#include "base/limits.h"
#include "cluster/communicator.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
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
/// before is small.
class EdgeStream {
 public:
  explicit EdgeStream(bool marked) : marked_(marked) {}

  void append(const Edge& edge) {
    assert(edge.from >= last_from_);
    write_number(edge.from - last_from_);
    last_from_ = edge.from;
    for (int shift = 0; shift < 32; shift += 8) {
      write(static_cast<std::uint8_t>(edge.to >> shift));
    }
    if (marked_) {
      write_number(edge.marks);
    }
    ++size_;
  }
  std::size_t size() const { return size_; }
  std::size_t memory_bytes() const { return chunks_.size() * kChunk; }

  template <class Visit>
  void for_each(Visit visit) const {
    Reader reader{*this};
    visit_all(reader, visit);
  }
  /// Likewise; what has been visited is given back.
  template <class Visit>
  void consume(Visit visit) {
    Reader reader{*this, this};
    visit_all(reader, visit);
    chunks_.clear();
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 18;
  using Chunk = std::unique_ptr<std::uint8_t[]>;

  struct Reader {
    const EdgeStream& stream;
    EdgeStream* consumed = nullptr;
    std::size_t at = 0;

    std::uint8_t byte() {
      const std::uint8_t found = stream.chunks_[at / kChunk][at % kChunk];
      if (++at % kChunk == 0 && consumed != nullptr) {
        consumed->chunks_[at / kChunk - 1].reset();
      }
      return found;
    }
    std::uint32_t number() {
      std::uint32_t value = 0;
      for (int shift = 0;; shift += 7) {
        const std::uint8_t next = byte();
        value |= static_cast<std::uint32_t>(next & 0x7fU) << shift;
        if (next < 0x80) {
          return value;
        }
      }
    }
  };

  template <class Visit>
  void visit_all(Reader& reader, Visit visit) const {
    Edge edge;
    for (std::size_t i = 0; i < size_; ++i) {
      edge.from += reader.number();
      edge.to = 0;
      for (int shift = 0; shift < 32; shift += 8) {
        edge.to |= static_cast<Word>(reader.byte()) << shift;
      }
      edge.marks = marked_ ? reader.number() : 0;
      visit(edge);
    }
  }
  void write(std::uint8_t byte) {
    if (bytes_ % kChunk == 0) {
      chunks_.push_back(std::make_unique_for_overwrite<std::uint8_t[]>(kChunk));
    }
    chunks_.back()[bytes_++ % kChunk] = byte;
  }
  void write_number(std::uint32_t value) {
    for (; value >= 0x80; value >>= 7) {
      write(static_cast<std::uint8_t>(value | 0x80U));
    }
    write(static_cast<std::uint8_t>(value));
  }

  bool marked_;
  std::vector<Chunk> chunks_;
  std::size_t bytes_ = 0;
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
