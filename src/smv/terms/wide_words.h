#pragma once

#include "smv/terms/wide_word.h"

#include <cstdint>
#include <map>
#include <vector>

namespace nestor::smv {

/// The words of more than 64 bits that have occurred. Each has a number, which stands for it where
/// a value is one integer of 64 bits: equal words have equal numbers.
class WideWords {
 public:
  std::int64_t number_of(const WideWord& word);
  const WideWord& operator[](std::int64_t number) const {
    return words_[static_cast<std::size_t>(number)]->first;
  }

 private:
  struct Less {
    bool operator()(const WideWord& a, const WideWord& b) const {
      return a.width() != b.width() ? a.width() < b.width() : a.less(b, false);
    }
  };
  using Numbers = std::map<WideWord, std::int64_t, Less>;
  Numbers numbers_;
  std::vector<Numbers::const_iterator> words_;
};

}  // namespace nestor::smv
