#include "view/page.h"

#include <gtest/gtest.h>

namespace nestor::view {
namespace {

std::string attribute(const std::string& page, const std::string& before) {
  const std::size_t at = page.find(before) + before.size();
  return page.substr(at, page.find('"', at) - at);
}

TEST(PageTest, HasNoTextOfAModel) {
  Page page;
  page.add("check", "{\"model\":\"</script><script>alert(1)</script>\"}");
  page.add_to("witness", 3, "{\"node\":\"<!--alert(2)\"}");
  const std::string html = page.html();
  EXPECT_EQ(html.find("alert("), std::string::npos);
  EXPECT_NE(html.find("<script type=\"application/gzip\" id=\"check\">H4sI"), std::string::npos);
  EXPECT_NE(html.find("id=\"witness-0\">H4sI"), std::string::npos);
  EXPECT_EQ(html.find("{{"), std::string::npos);
}

TEST(PageTest, AllowsItsOwnScriptOnly) {
  const std::string policy = attribute(Page().html(), "Content-Security-Policy\" content=\"");
  EXPECT_EQ(policy, content_security_policy(false));
  EXPECT_EQ(policy.find("default-src 'none'"), 0U);
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_EQ(policy.find("connect-src"), std::string::npos);
  EXPECT_NE(content_security_policy(true).find("connect-src 'self'"), std::string::npos);
}

TEST(PageTest, PutsSeriesTogether) {
  // Together as long as they are small, apart when they are large.
  Page small;
  Page large;
  for (std::size_t i = 0; i < 3; ++i) {
    small.add_to("label", i, "{}");
    large.add_to("label", i, "\"" + std::string(400'000, 'x') + "\"");
  }
  EXPECT_EQ(small.html().find("id=\"label-1\""), std::string::npos);
  EXPECT_NE(large.html().find("id=\"label-2\""), std::string::npos);
}

TEST(PageTest, HasExamplesWithTheirFormulas) {
  for (const Example& example : examples()) {
    EXPECT_FALSE(example.text.empty()) << example.name;
    EXPECT_EQ(example.formulas.empty(), example.name.ends_with(".smv")) << example.name;
  }
}

}  // namespace
}  // namespace nestor::view
