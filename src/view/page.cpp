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
    series_.push_back({std::string(series), {}});
    found = series_.end() - 1;
  }
  if (found->blocks.empty() || found->blocks.back().bytes > kBlock) {
    found->blocks.emplace_back();
  }
  Block& block = found->blocks.back();
  block.documents.emplace_back(std::to_string(key), json);
  block.bytes += json.size();
}

std::string Page::html(bool live) const {
  std::string data = blocks_;
  std::string index;
  base::JsonWriter places(index);  // in which block of its series a document is
  places.begin_object().member("live", live);
  for (const Series& series : series_) {
    places.begin_object(series.name);
    for (std::size_t i = 0; i < series.blocks.size(); ++i) {
      std::string text;
      base::JsonWriter block(text);
      block.begin_object();
      for (const auto& [key, document] : series.blocks[i].documents) {
        block.key(key).json(document);
        places.member(key, i);
      }
      block.end_object();
      append_block(data, series.name + "-" + std::to_string(i), text);
    }
    places.end_object();
  }
  places.end_object();
  append_block(data, "index", index);
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
