#include "cluster/checkpoint_files.h"

#include <algorithm>
#include <filesystem>

namespace nestor::cluster {

namespace {
constexpr std::size_t kHashSize = 64;

std::string_view bytes_of(const std::vector<Word>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(Word)};
}
}  // namespace

void Checkpoint::PartWriter::text(std::string_view text) {
  for (const char c : text) {
    word(static_cast<unsigned char>(c));
  }
}

void Checkpoint::PartWriter::flush() {
  hash_.add(bytes_of(buffer_));
  file_.write(bytes_of(buffer_));
  buffer_.clear();
}

void Checkpoint::PartWriter::commit() {
  flush();
  file_.write(hash_.hex());
  file_.commit();
}

Checkpoint::PartReader::PartReader(std::string path) : path_(std::move(path)) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path_, error);
  file_.open(path_, std::ios::binary);
  if (error || !file_) {
    throw base::Error(base::Error::Kind::Input, "this part of the checkpoint is missing", {path_});
  }
  if (size < kHashSize || (size - kHashSize) % sizeof(Word) != 0) {
    refuse("its length is wrong");
  }
  base::Sha256 hash;
  std::string piece(kBuffer * sizeof(Word), '\0');
  for (std::uint64_t left = size - kHashSize; left > 0;) {
    const auto now = static_cast<std::streamsize>(std::min<std::uint64_t>(left, piece.size()));
    if (!file_.read(piece.data(), now)) {
      refuse("it cannot be read");
    }
    hash.add(std::string_view(piece).substr(0, static_cast<std::size_t>(now)));
    left -= static_cast<std::uint64_t>(now);
  }
  std::string written(kHashSize, '\0');
  if (!file_.read(written.data(), kHashSize) || written != hash.hex()) {
    refuse("its contents are not those that were written");
  }
  file_.seekg(0);
  left_ = (size - kHashSize) / sizeof(Word);
}

Word Checkpoint::PartReader::word() {
  if (next_ == buffer_.size()) {
    buffer_.resize(std::min<std::uint64_t>(left_, kBuffer));
    if (buffer_.empty()) {
      refuse("it ends too early");
    }
    if (!file_.read(reinterpret_cast<char*>(buffer_.data()),
                    static_cast<std::streamsize>(buffer_.size() * sizeof(Word)))) {
      refuse("it cannot be read");
    }
    left_ -= buffer_.size();
    next_ = 0;
  }
  return buffer_[next_++];
}

bool Checkpoint::PartReader::text(std::string_view expected) {
  bool is_same = true;
  for (const char c : expected) {
    is_same = word() == static_cast<unsigned char>(c) && is_same;
  }
  return is_same;
}

void Checkpoint::PartReader::refuse(const std::string& why) const {
  throw base::Error(base::Error::Kind::Input, "this part of the checkpoint is damaged: " + why,
                    {path_});
}

}  // namespace nestor::cluster
