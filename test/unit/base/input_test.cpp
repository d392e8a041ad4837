#include "base/input.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace nestor::base {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "nestor_input_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t file_count() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  fs::path folder_;
};

TEST_F(Files, InputReadsAFileWhole) {
  std::ofstream(path("a")) << "one\ntwo\n";
  const Input input = Input::read(path("a"));
  EXPECT_EQ(input.text(), "one\ntwo\n");
  EXPECT_EQ(input.name(), path("a"));
  EXPECT_EQ(input.text().data()[input.size()], '\0');
}

TEST_F(Files, InputReadsAPipe) {
  // A pipe has no size beforehand; the text is larger than the first guess.
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const std::string text(300000, 'x');
  std::ofstream(path("text")) << text;
  ASSERT_EQ(std::system(("cat " + path("text") + " > " + path("pipe") + " &").c_str()), 0);
  EXPECT_EQ(Input::read(path("pipe")).text(), text);
}

TEST_F(Files, InputThatIsMissingOrAFolderIsASystemError) {
  for (const std::string& bad : {path("missing"), folder_.string()}) {
    try {
      Input::read(bad);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::System);
      EXPECT_NE(error.message().find("'" + bad + "'"), std::string::npos) << error.message();
    }
  }
}

TEST(Input, LocatesBytes) {
  const Input input = Input::from_text("f", "ab\n\ncd");
  const auto at = [&](std::size_t offset) { return to_string(input.locate(offset)); };
  EXPECT_EQ(at(0), "f:1:1");
  EXPECT_EQ(at(1), "f:1:2");
  EXPECT_EQ(at(2), "f:1:3");
  EXPECT_EQ(at(3), "f:2:1");
  EXPECT_EQ(at(4), "f:3:1");
  EXPECT_EQ(at(6), "f:3:3");
}

TEST_F(Files, OutputAppearsOnlyWhenCommitted) {
  {
    OutputFile file(path("out"));
    file.write("half ");
    EXPECT_FALSE(fs::exists(path("out")));
    file.write("whole");
    file.commit();
    EXPECT_EQ(content(path("out")), "half whole");
  }
  EXPECT_EQ(content(path("out")), "half whole");
  EXPECT_EQ(file_count(), 1U);
}

TEST_F(Files, OutputWithoutCommitLeavesNothing) {
  {
    OutputFile file(path("out"));
    file.write("half");
  }
  EXPECT_EQ(file_count(), 0U);
}

TEST_F(Files, OutputWithoutCommitLeavesTheOldFile) {
  std::ofstream(path("out")) << "old";
  {
    OutputFile file(path("out"));
    file.write("new");
  }
  EXPECT_EQ(content(path("out")), "old");
  EXPECT_EQ(file_count(), 1U);
}

TEST_F(Files, OutputHasTheRightsOfANewFile) {
  const mode_t old = umask(022);
  {
    OutputFile file(path("out"));
    file.commit();
  }
  umask(old);
  struct stat status {};
  ASSERT_EQ(stat(path("out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0644U);
}

/// As root, moving a file there would replace a device for everybody.
TEST_F(Files, WhatIsNoFileIsWrittenToAndStays) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = open(path("pipe").c_str(), O_RDWR);
  ASSERT_GE(reader, 0);
  {
    OutputFile file(path("pipe"));
    file.write("text");
    file.commit();
  }
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_EQ(file_count(), 1U);
  char text[5] = {};
  EXPECT_EQ(read(reader, text, 4), 4);
  EXPECT_STREQ(text, "text");
  close(reader);
}

TEST_F(Files, OutputToAMissingFolderIsASystemError) {
  try {
    const OutputFile file(path("missing/out"));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::System);
  }
}

}  // namespace
}  // namespace nestor::base
