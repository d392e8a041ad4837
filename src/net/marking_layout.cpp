#include "net/marking_layout.h"

#include <algorithm>
#include <bit>

namespace nestor::net {

namespace {

std::uint32_t largest_of_bits(std::uint32_t bits) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
}

}  // namespace

MarkingLayout::MarkingLayout(const std::vector<PlaceRoom>& rooms) {
  for (const PlaceRoom& room : rooms) {
    Place place;
    place.room = room;
    const std::uint32_t number_bits = base::bits_for(room.tuples);
    const std::uint32_t rest_bits = base::bits_for(room.most - 1);
    const std::uint64_t as_list = std::uint64_t{room.kinds} * (number_bits + rest_bits);
    place.is_list = as_list < std::uint64_t{room.tuples} * base::bits_for(room.most);
    if (place.is_list) {  // what the bits hold anyway
      place.room.tuples = largest_of_bits(number_bits);
      place.room.most = std::max(room.most, largest_of_bits(rest_bits));
      for (std::uint32_t i = 0; i < room.kinds; ++i) {
        place.numbers.push_back(layout_.add(place.room.tuples));
        place.counts.push_back(layout_.add(largest_of_bits(rest_bits)));
      }
    } else {
      place.room.most = largest_of_bits(base::bits_for(room.most));
      place.room.kinds = room.tuples;
      for (std::uint32_t i = 0; i < room.tuples; ++i) {
        place.counts.push_back(layout_.add(place.room.most));
      }
      find_runs(place);
    }
    places_.push_back(std::move(place));
  }
}

void MarkingLayout::find_runs(Place& place) {
  if (place.room.most != 1) {
    return;
  }
  for (std::uint32_t i = 0; i < place.counts.size(); ++i) {
    const base::BitField& bit = place.counts[i];
    if (!place.runs.empty()) {
      base::BitField& last = place.runs.back().bits;
      const std::uint32_t length = base::bits_for(last.mask);
      if (last.word == bit.word && last.shift + length == bit.shift) {
        last.mask = 2 * last.mask + 1;
        continue;
      }
    }
    place.runs.push_back({bit, i});
  }
}

void MarkingLayout::read(base::StateView state, std::size_t place, Tokens& tokens) const {
  tokens.clear();
  const Place& it = places_[place];
  if (it.is_list) {
    for (std::size_t i = 0; i < it.numbers.size(); ++i) {
      const std::uint32_t number = it.numbers[i].get(state);
      if (number == 0) {
        return;
      }
      tokens.push_back({number - 1, it.counts[i].get(state) + 1});
    }
    return;
  }
  if (!it.runs.empty()) {
    for (const Place::Run& run : it.runs) {
      for (std::uint32_t bits = run.bits.get(state); bits != 0; bits &= bits - 1) {
        tokens.push_back({run.first + static_cast<std::uint32_t>(std::countr_zero(bits)), 1});
      }
    }
    return;
  }
  for (std::size_t i = 0; i < it.counts.size(); ++i) {
    if (const std::uint32_t count = it.counts[i].get(state); count > 0) {
      tokens.push_back({static_cast<std::uint32_t>(i), count});
    }
  }
}

bool MarkingLayout::write(base::StateBuffer state, std::size_t place, const Tokens& tokens) const {
  const Place& it = places_[place];
  if (tokens.size() > it.room.kinds) {
    return false;
  }
  for (const TupleCount& token : tokens) {
    if (token.tuple >= it.room.tuples || token.count > it.room.most) {
      return false;
    }
  }
  if (it.is_list) {
    for (std::size_t i = 0; i < it.numbers.size(); ++i) {
      const bool used = i < tokens.size();
      it.numbers[i].set(state, used ? tokens[i].tuple + 1 : 0);
      it.counts[i].set(state, used ? tokens[i].count - 1 : 0);
    }
    return true;
  }
  for (const base::BitField& count : it.counts) {
    count.set(state, 0);
  }
  for (const TupleCount& token : tokens) {
    it.counts[token.tuple].set(state, token.count);
  }
  return true;
}

bool MarkingLayout::set_count(base::StateBuffer state, std::size_t place, std::uint32_t tuple,
                              std::uint32_t count) const {
  const Place& it = places_[place];
  if (tuple >= it.room.tuples || count > it.room.most) {
    return false;
  }
  it.counts[tuple].set(state, count);
  return true;
}

std::uint32_t MarkingLayout::count(base::StateView state, std::size_t place,
                                   std::uint32_t tuple) const {
  const Place& it = places_[place];
  if (!it.is_list) {
    return tuple < it.counts.size() ? it.counts[tuple].get(state) : 0;
  }
  for (std::size_t i = 0; i < it.numbers.size(); ++i) {
    const std::uint32_t number = it.numbers[i].get(state);
    if (number == 0 || number > tuple + std::uint64_t{1}) {
      return 0;
    }
    if (number == tuple + 1) {
      return it.counts[i].get(state) + 1;
    }
  }
  return 0;
}

std::uint64_t MarkingLayout::total(base::StateView state, std::size_t place) const {
  const Place& it = places_[place];
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < it.counts.size(); ++i) {
    if (!it.is_list) {
      sum += it.counts[i].get(state);
    } else if (it.numbers[i].get(state) > 0) {
      sum += it.counts[i].get(state) + std::uint64_t{1};
    }
  }
  return sum;
}

}  // namespace nestor::net
