#include "driver/probe/line_editor.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <istream>
#include <readline/history.h>
#include <readline/readline.h>
#include <utility>

namespace nestor::driver {

namespace {

// readline calls plain functions, so what they need lies here while an editor is alive.
LineEditor::Complete active_complete;
std::vector<std::string> candidates;

char* next_candidate(const char* word, int state) {
  static std::size_t next;
  if (state == 0) {
    next = 0;
    candidates =
        active_complete(std::string(rl_line_buffer, static_cast<std::size_t>(rl_point)), word);
  }
  while (next < candidates.size()) {
    const std::string& candidate = candidates[next++];
    if (candidate.starts_with(word)) {
      return strdup(candidate.c_str());
    }
  }
  return nullptr;
}

char** complete_word(const char* word, int /*start*/, int /*end*/) {
  rl_attempted_completion_over = 1;  // no file names instead
  return rl_completion_matches(word, next_candidate);
}

}  // namespace

LineEditor::LineEditor(std::istream* in, bool terminal, Complete complete)
    : in_(in), terminal_(terminal) {
  if (terminal_) {
    active_complete = std::move(complete);
    rl_readline_name = "nestor";
    rl_attempted_completion_function = complete_word;
    rl_completer_word_break_characters = " \t\n!&|()[]";
    using_history();
  }
}

LineEditor::~LineEditor() {
  if (terminal_) {
    rl_attempted_completion_function = nullptr;
    active_complete = nullptr;
    clear_history();
  }
}

std::optional<std::string> LineEditor::read(const std::string& prompt) {
  if (!terminal_) {
    std::string line;
    if (in_ == nullptr || !std::getline(*in_, line)) {
      return std::nullopt;
    }
    return line;
  }
  char* text = readline(prompt.c_str());
  if (text == nullptr) {
    return std::nullopt;
  }
  std::string line(text);
  std::free(text);
  if (!line.empty()) {
    add_history(line.c_str());
  }
  return line;
}

}  // namespace nestor::driver
