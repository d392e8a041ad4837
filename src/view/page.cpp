#include "view/page.h"

#include "base/gzip.h"
#include "base/json_writer.h"
#include "base/sha256.h"
#include "view/page_texts.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace nestor::view {

namespace {

constexpr std::size_t kBlock = 300'000;  // bytes of documents that are compressed together

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out.push_back(i + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63U]);
    }
  }
  return out;
}

std::string page_script() {
  std::string script;
  for (const std::string_view module : kPageModules) {
    script += module;
  }
  return script;
}

/// What a Content-Security-Policy calls a text by.
std::string hash_source(std::string_view text) {
  const std::string hex = base::sha256_hex(text);
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return "'sha256-" + base64(bytes) + "'";
}

/// `frame` with the text in the place of `{{name}}`, which must be there once.
void fill(std::string& frame, std::string_view name, std::string_view text) {
  const std::string slot = "{{" + std::string(name) + "}}";
  const std::size_t at = frame.find(slot);
  assert(at != std::string::npos);
  frame.replace(at, slot.size(), text);
}

}  // namespace

void Page::append_block(std::string& out, std::string_view name, std::string_view json) {
  out += "<script type=\"application/gzip\" id=\"";
  out += name;
  out += "\">";
  out += base64(base::gzip(json));
  out += "</script>\n";
}

void Page::add(std::string_view name, std::string_view json) {
  append_block(blocks_, name, json);
}

void Page::add_to(std::string_view series, std::size_t key, std::string_view json) {
  auto found = std::find_if(series_.begin(), series_.end(),
                            [&](const Series& one) { return one.name == series; });
  if (found == series_.end()) {
    series_.push_back({std::string(series), {}, {}});
    found = series_.end() - 1;
  }
  if (found->blocks.empty() || found->blocks.back().size() > kBlock) {
    found->blocks.emplace_back();
  }
  const auto member = [&](std::string& object, std::string_view value) {
    object += (object.empty() ? "\"" : ",\"") + std::to_string(key) + "\":";
    object += value;
  };
  member(found->blocks.back(), json);
  member(found->index, std::to_string(found->blocks.size() - 1));
}

std::string Page::html(bool live) const {
  std::string data = blocks_;
  std::string index = live ? "{\"live\":true" : "{\"live\":false";
  for (const Series& series : series_) {
    index += ",\"" + series.name + "\":{" + series.index + "}";
    for (std::size_t i = 0; i < series.blocks.size(); ++i) {
      append_block(data, series.name + "-" + std::to_string(i), "{" + series.blocks[i] + "}");
    }
  }
  append_block(data, "index", index + "}");
  std::string page(kPageFrame);
  fill(page, "policy", content_security_policy(live));
  fill(page, "style", kPageStyle);
  fill(page, "script", page_script());
  fill(page, "data", data);
  return page;
}

std::string content_security_policy(bool live) {
  return "default-src 'none'; base-uri 'none'; form-action 'none'; script-src " +
         hash_source(page_script()) + "; style-src " + hash_source(kPageStyle) +
         (live ? "; connect-src 'self'" : "");
}

std::vector<Example> examples() {
  return {kPageExamples.begin(), kPageExamples.end()};
}

}  // namespace nestor::view
