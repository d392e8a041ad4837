#include "view/sources.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace nestor::view {
namespace {

namespace fs = std::filesystem;

class SourcesTest : public testing::Test {
 protected:
  SourcesTest() {
    fs::create_directories(inside_);
    write(folder_ / "secret.c", "secret\n");
    write(inside_ / "a.c", "int main() {\n  return \"<script>\"[0];\r\n}\n");
  }
  ~SourcesTest() override { fs::remove_all(folder_); }

  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  std::string document(const std::string& file, std::uint32_t line = 1) const {
    Sources sources({inside_.string()});
    sources.add(file, line);
    return sources.document();
  }

  fs::path folder_ =
      fs::temp_directory_path() /
      ("nestor-sources-" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
       testing::UnitTest::GetInstance()->current_test_info()->name());
  fs::path inside_ = folder_ / "inside";
};

TEST_F(SourcesTest, HasTheLinesOfAFile) {
  EXPECT_EQ(
      document("a.c"),
      "{\n\"a.c\":[{\"first\":1,\"lines\":[\"int main() {\",\"  return \\\"<script>\\\"[0];\","
      "\"}\"]}]}");
  EXPECT_NE(document((inside_ / "a.c").string()).find("int main"), std::string::npos);
}

TEST_F(SourcesTest, ReadsNothingOutsideItsFolders) {
  EXPECT_EQ(document("../secret.c"), "{}");
  EXPECT_EQ(document((folder_ / "secret.c").string()), "{}");
  EXPECT_EQ(document("/etc/passwd"), "{}");
  EXPECT_EQ(document("none.c"), "{}");
  fs::create_symlink(folder_ / "secret.c", inside_ / "link.c");
  EXPECT_EQ(document("link.c"), "{}");
  write(inside_ / "binary.c", std::string("a\0b", 3));
  EXPECT_EQ(document("binary.c"), "{}");
  // A folder whose name begins the same is another one.
  fs::create_directories(folder_ / "inside2");
  write(folder_ / "inside2" / "b.c", "b\n");
  EXPECT_EQ(document((folder_ / "inside2" / "b.c").string()), "{}");
}

TEST_F(SourcesTest, HasWhatIsNearTheLinesOfALongFile) {
  std::string text;
  for (int i = 1; i <= 5000; ++i) {
    text += std::to_string(i) + "\n";
  }
  write(inside_ / "long.c", text);
  const std::string found = document("long.c", 2000);
  EXPECT_EQ(found.rfind("{\n\"long.c\":[{\"first\":1961,\"lines\":[\"1961\",", 0), 0U);
  EXPECT_NE(found.find("\"2000\""), std::string::npos);
  EXPECT_EQ(found.find("\"2041\""), std::string::npos);
  EXPECT_EQ(document("long.c", 4'000'000'000U), "{\n\"long.c\":[]}");
}

TEST_F(SourcesTest, WithoutFoldersHasNothing) {
  Sources sources({});
  sources.add("/etc/passwd", 1);
  EXPECT_TRUE(sources.empty());
}

}  // namespace
}  // namespace nestor::view
