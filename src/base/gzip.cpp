#include "base/gzip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <unistd.h>
#include <zlib.h>

namespace nestor::base {

namespace {
constexpr std::size_t kChunk = std::size_t{1} << 16;
constexpr int kGzip = 15 + 16;  // zlib: the largest window, and a gzip header
constexpr int kMemoryLevel = 8;
}  // namespace

// ---- writing ----

struct TextWriter::Deflate {
  Deflate() {
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;
  ~Deflate() { deflateEnd(&stream); }

  z_stream stream{};
};

TextWriter::TextWriter(const std::string& path) : file_(path) {
  if (path.ends_with(".gz")) {
    deflate_ = std::make_unique<Deflate>();
  }
}

TextWriter::~TextWriter() = default;

void TextWriter::write(std::string_view text) {
  if (deflate_ == nullptr) {
    file_.write(text);
    return;
  }
  constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
  for (; text.size() > kMost; text.remove_prefix(kMost)) {
    compress(text.substr(0, kMost), false);
  }
  compress(text, false);
}

void TextWriter::commit() {
  if (deflate_ != nullptr) {
    compress({}, true);
  }
  file_.commit();
}

void TextWriter::compress(std::string_view text, bool last) {
  z_stream& stream = deflate_->stream;
  // zlib does not write to its input, it only lacks the word const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  std::array<char, kChunk> out{};
  do {
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
    file_.write({out.data(), out.size() - stream.avail_out});
  } while (stream.avail_out == 0);
}

std::string gzip(std::string_view text) {
  TextWriter::Deflate deflater;
  z_stream& stream = deflater.stream;
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  stream.avail_in = static_cast<uInt>(text.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  return out;
}

// ---- reading ----

struct LineReader::Source {
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() {
    if (file != nullptr) {
      gzclose(file);
    }
  }

  /// Up to `size` bytes to `to`; 0 at the end.
  std::size_t read(char* to, std::size_t size, const std::string& name) {
    if (file == nullptr) {
      const std::size_t count = std::min(size, text.size() - next);
      std::memcpy(to, text.data() + next, count);
      next += count;
      return count;
    }
    const int count = gzread(file, to, static_cast<unsigned>(size));
    int error = Z_OK;
    gzerror(file, &error);
    if (error == Z_ERRNO) {
      throw Error(Error::Kind::System, fmt::format("cannot read '{}': {}", name, strerror(errno)));
    }
    // A compressed file that ends too early is Z_BUF_ERROR, with what there was of it read.
    if (count < 0 || (count == 0 && error != Z_OK && error != Z_STREAM_END)) {
      throw Error(Error::Kind::Input,
                  error == Z_BUF_ERROR ? "damaged compressed file: it ends too early"
                                       : "damaged compressed file",
                  {name, 0, 0});
    }
    return static_cast<std::size_t>(count);
  }

  gzFile file = nullptr;
  std::string text;  // if there is no file
  std::size_t next = 0;
};

LineReader LineReader::open(const std::string& path) {
  auto source = std::make_unique<Source>();
  errno = 0;
  source->file = path == "-" ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path.c_str(), "rb");
  if (source->file == nullptr) {
    throw Error(Error::Kind::System, fmt::format("cannot open '{}': {}", path, strerror(errno)));
  }
  gzbuffer(source->file, kChunk);
  return {path == "-" ? "<stdin>" : path, std::move(source)};
}

LineReader LineReader::from_text(std::string name, std::string_view text) {
  auto source = std::make_unique<Source>();
  source->text = text;
  return {std::move(name), std::move(source)};
}

LineReader::LineReader(std::string name, std::unique_ptr<Source> source)
    : name_(std::move(name)), source_(std::move(source)), buffer_(4 * kChunk) {}

LineReader::LineReader(LineReader&&) noexcept = default;
LineReader::~LineReader() = default;

/// Reads more behind what is unread; false at the end of the file.
bool LineReader::fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) {
    if (end_ >= kLongestLine) {
      throw Error(Error::Kind::Input, "line too long", {name_, line_number_ + 1, 0});
    }
    buffer_.resize(2 * buffer_.size());
  }
  const std::size_t room = std::min<std::size_t>(buffer_.size() - end_, std::size_t{1} << 30);
  const std::size_t count = source_->read(buffer_.data() + end_, room, name_);
  end_ += count;
  return count > 0;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  for (;;) {
    const char* from = buffer_.data() + begin_ + searched;
    const void* found = std::memchr(from, '\n', end_ - begin_ - searched);
    if (found != nullptr) {
      const char* first = buffer_.data() + begin_;
      line = {first, static_cast<std::size_t>(static_cast<const char*>(found) - first)};
      begin_ += line.size() + 1;
      if (++line_number_ == std::numeric_limits<std::uint32_t>::max()) {
        throw Error(Error::Kind::Input, "too many lines", {name_, line_number_, 0});
      }
      return true;
    }
    searched = end_ - begin_;
    if (!fill()) {
      break;
    }
  }
  line = {buffer_.data() + begin_, end_ - begin_};
  begin_ = end_;
  line_number_ += line.empty() ? 0 : 1;
  return !line.empty();
}

}  // namespace nestor::base
