#include "base/gzip.h"

#include "base/sha256.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace nestor::base {
namespace {

class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "nestor_gzip_XXXXXX";
    path_ = mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

std::vector<std::string> lines_of(LineReader reader) {
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) {
    lines.emplace_back(line);
    EXPECT_EQ(reader.line_number(), lines.size());
  }
  return lines;
}

TEST(LineReader, SplitsAtLineEnds) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(lines_of(LineReader::from_text("t", "")), Lines());
  EXPECT_EQ(lines_of(LineReader::from_text("t", "a")), Lines({"a"}));
  EXPECT_EQ(lines_of(LineReader::from_text("t", "a\n\nb\n")), Lines({"a", "", "b"}));
}

TEST(LineReader, ReadsLinesLongerThanItsBuffer) {
  const std::string line(1000000, 'x');
  const std::vector<std::string> lines =
      lines_of(LineReader::from_text("t", "a\n" + line + "\n" + line + "y"));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1], line);
  EXPECT_EQ(lines[2], line + "y");
}

TEST(TextWriter, CompressesByName) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 50000; ++i) {
    text += "line " + std::to_string(i) + "\n";
  }
  for (const char* name : {"plain", "packed.gz"}) {
    TextWriter writer(folder.file(name));
    writer.write(text);
    writer.write("last\n");
    EXPECT_FALSE(std::filesystem::exists(folder.file(name)));  // not before it is complete
    writer.commit();
    const std::vector<std::string> lines = lines_of(LineReader::open(folder.file(name)));
    ASSERT_EQ(lines.size(), 50001U);
    EXPECT_EQ(lines[49999], "line 49999");
    EXPECT_EQ(lines[50000], "last");
  }
  EXPECT_EQ(std::filesystem::file_size(folder.file("plain")), text.size() + 5);
  EXPECT_LT(std::filesystem::file_size(folder.file("packed.gz")), text.size() / 2);
}

TEST(Gzip, IsWhatACompressedFileHas) {
  const Folder folder;
  const std::string text = std::string(300'000, 'x') + "\nlast";
  for (const std::string& each : {text, std::string()}) {
    std::ofstream(folder.file("packed.gz"), std::ios::binary) << gzip(each);
    std::string found;
    for (const std::string& line : lines_of(LineReader::open(folder.file("packed.gz")))) {
      found += (found.empty() ? "" : "\n") + line;
    }
    EXPECT_EQ(found, each);
  }
  EXPECT_LT(gzip(text).size(), 1000U);
}

TEST(TextWriter, LeavesNothingBehindWithoutCommit) {
  const Folder folder;
  { TextWriter(folder.file("x.gz")).write("half"); }
  EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(folder.file("x.gz")).parent_path()));
}

TEST(LineReader, NoticesADamagedCompressedFile) {
  const Folder folder;
  {
    TextWriter writer(folder.file("x.gz"));
    for (int i = 0; i < 1000; ++i) {
      writer.write(std::to_string(i * 7919) + "\n");
    }
    writer.commit();
  }
  std::filesystem::resize_file(folder.file("x.gz"),
                               std::filesystem::file_size(folder.file("x.gz")) / 2);
  EXPECT_THROW(lines_of(LineReader::open(folder.file("x.gz"))), Error);
}

TEST(LineReader, TellsWhatItCannotOpen) {
  try {
    LineReader::open("no/such/file");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::System);
  }
}

TEST(Sha256, GivesThePublishedDigests) {
  // FIPS 180-4's examples for the empty message and "abc".
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace nestor::base
