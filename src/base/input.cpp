#include "base/input.h"

#include "base/scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace nestor::base {

namespace {

[[noreturn]] void fail(const char* what, const std::string& path) {
  throw Error(Error::Kind::System, fmt::format("cannot {} '{}': {}", what, path, strerror(errno)));
}

std::unique_ptr<char[]> buffer(std::size_t size) {
  // Not value-initialised: clearing what is about to be overwritten shows in the time of large
  // files.
  std::unique_ptr<char[]> data(new char[size + Input::kPadding]);
  std::memset(data.get() + size, 0, Input::kPadding);
  return data;
}

/// Closes a descriptor unless it is standard input.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (descriptor_ > STDIN_FILENO) {
      close(descriptor_);
    }
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

Input Input::read(const std::string& path) {
  const bool from_stdin = path == "-";
  const Descriptor file(from_stdin ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    fail("open", path);
  }
  struct stat status {};
  if (fstat(file.get(), &status) != 0) {
    fail("read", path);
  }
  // A pipe has no size: start with a guess and double it.
  std::size_t capacity =
      S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : std::size_t{1} << 16;
  std::unique_ptr<char[]> data = buffer(capacity);
  std::size_t size = 0;
  for (;;) {
    if (size == capacity && !S_ISREG(status.st_mode)) {
      std::unique_ptr<char[]> larger = buffer(capacity * 2);
      std::memcpy(larger.get(), data.get(), size);
      data = std::move(larger);
      capacity *= 2;
    }
    const ssize_t got = ::read(file.get(), data.get() + size, capacity - size);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      fail("read", path);
    }
    if (got == 0) {
      break;
    }
    size += static_cast<std::size_t>(got);
  }
  std::memset(data.get() + size, 0, kPadding);
  return {from_stdin ? "<stdin>" : path, std::move(data), size};
}

Input Input::from_text(std::string name, std::string_view text) {
  std::unique_ptr<char[]> data = buffer(text.size());
  std::copy(text.begin(), text.end(), data.get());
  return {std::move(name), std::move(data), text.size()};
}

SourceLocation Input::locate(std::size_t offset) const {
  return nestor::base::locate(text(), offset, {name_, 1, 1});
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  // What is no file, /dev/null or a pipe, is written to and must stay what it is.
  struct stat there {};
  if (stat(path_.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) {
      fail("write", path_);
    }
    return;
  }
  temporary_ = path_ + ".XXXXXX";
  descriptor_ = mkstemp(temporary_.data());
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("write", path_);
  }
  // mkstemp makes a private file; the result is to have the rights any new file would have.
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor_, 0666 & ~mask);
}

OutputFile::~OutputFile() {
  if (descriptor_ != STDOUT_FILENO && descriptor_ >= 0) {
    close(descriptor_);
  }
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
  }
}

void OutputFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      fail("write", path_);
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::commit() {
  if (temporary_.empty()) {
    return;
  }
  if (close(std::exchange(descriptor_, -1)) != 0 ||
      rename(temporary_.c_str(), path_.c_str()) != 0) {
    fail("write", path_);
  }
  temporary_.clear();
}

}  // namespace nestor::base
