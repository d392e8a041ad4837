// Each test/malformed/rsm/DEFECT.rsm is refused with the line in DEFECT.expected.

#include "base/input.h"
#include "format/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace nestor::format {
namespace {

std::string name_of(const std::filesystem::path& path) {
  return path.stem().string();
}

std::vector<std::filesystem::path> files_with(const std::string& extension) {
  std::vector<std::filesystem::path> found;
  for (const auto& file :
       std::filesystem::directory_iterator(NESTOR_SOURCE_DIR "/test/malformed/rsm")) {
    if (file.path().extension() == extension) {
      found.push_back(file.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

class Malformed : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Malformed, IsRefusedWithItsMessage) {
  const std::filesystem::path path = GetParam();
  std::filesystem::path expected_path = path;
  expected_path.replace_extension(".expected");
  const base::Input expected = base::Input::read(expected_path.string());
  const base::Input file = base::Input::read(path.string());
  const base::Input input = base::Input::from_text(path.filename().string(), file.text());
  try {
    find_format("rsm", "").read(input, {});
    FAIL() << "accepted";
  } catch (const base::Error& error) {
    EXPECT_EQ(std::string(error.what()) + "\n", expected.text());
    EXPECT_EQ(error.kind(), base::Error::Kind::Input);
  }
}

INSTANTIATE_TEST_SUITE_P(Rsm, Malformed, testing::ValuesIn(files_with(".rsm")),
                         [](const auto& info) { return name_of(info.param); });

TEST(MalformedFolder, HasAnInputForEachMessage) {
  std::vector<std::string> inputs;
  std::vector<std::string> messages;
  for (const auto& path : files_with(".rsm")) {
    inputs.push_back(name_of(path));
  }
  for (const auto& path : files_with(".expected")) {
    messages.push_back(name_of(path));
  }
  EXPECT_EQ(inputs, messages);
  EXPECT_GE(inputs.size(), 100U);
}

}  // namespace
}  // namespace nestor::format
