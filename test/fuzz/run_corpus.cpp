// Runs a fuzz target without libFuzzer: over each file of a corpus, then over mutations of them
// that are the same in every run.
//
//   usage: <target>_corpus RUNS FOLDER
//
// NESTOR_SCALE multiplies the number of runs.

#include "run_options.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

/// xorshift64*: small, and the same everywhere.
class Random {
 public:
  std::size_t below(std::size_t bound) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<std::size_t>((state_ * 0x2545F4914F6CDD1DU) >> 33) % bound;
  }

 private:
  std::uint64_t state_ = 0x9E3779B97F4A7C15U;
};

void run(const std::string& text) {
  // A copy of exactly that size, so that a sanitizer sees a read behind it.
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

/// One to four changes: a byte, a piece cut out, doubled, or taken from another file.
std::string mutated(std::string text, const std::vector<std::string>& corpus, Random& random) {
  static const std::string kBytes = std::string("{}[]\",:\\ \n0-etu()!&|#\xff", 22) + '\0';
  for (std::size_t changes = 1 + random.below(4); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random.below(text.size());
    const std::size_t size = 1 + random.below(std::min<std::size_t>(text.size() - at, 40));
    switch (random.below(5)) {
      case 0:
        text[at] = kBytes[random.below(kBytes.size())];
        break;
      case 1:
        text.erase(at, size);
        break;
      case 2:
        text.insert(at, text.substr(at, size));
        break;
      case 3: {
        const std::string& other = corpus[random.below(corpus.size())];
        text.replace(at, size, other.substr(random.below(other.size() + 1), size));
        break;
      }
      default:
        text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
    }
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s RUNS FOLDER\n", argv[0]);
    return 2;
  }
  std::vector<std::filesystem::path> paths;
  for (const auto& file : std::filesystem::directory_iterator(argv[2])) {
    paths.push_back(file.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    run(corpus.back());
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "%s: no files\n", argv[2]);
    return 1;
  }
  Random random;
  const std::size_t runs = nestor::test::scaled(std::strtoul(argv[1], nullptr, 10));
  for (std::size_t i = 0; i < runs; ++i) {
    run(mutated(corpus[random.below(corpus.size())], corpus, random));
  }
  std::printf("%zu files, %zu mutations\n", corpus.size(), runs);
  return 0;
}
