#pragma once

#include "driver/check_report.h"
#include "driver/label_view.h"
#include "driver/options.h"
#include "view/model_document.h"
#include "view/page.h"
#include "view/sources.h"

#include <cstddef>
#include <nestor/check.h>
#include <nestor/program.h>
#include <string>
#include <vector>

namespace nestor::driver {

/// The values of all parts of a formula, for a page; empty if there are too many, or none.
std::string label_document(Session& session, std::size_t formula,
                           std::vector<Component>& components);
/// What was found out, without witnesses, as --json prints it.
std::string check_document(const CheckReport& report);

/// The page that `nestor check --html` writes.
class ReportPage {
 public:
  /// What the options ask for.
  explicit ReportPage(const Options& options);
  /// One that shows source files of these folders.
  ReportPage(bool is_wanted, const std::vector<std::string>& folders);

  bool is_wanted() const { return is_wanted_; }
  void add(Session& session, std::size_t formula, const Witness& witness);
  /// All that was added and the rest of what was found out. Call once.
  std::string html(const CheckReport& report, const Model& model, bool live = false);
  /// Likewise; other documents besides.
  view::Page& page() { return page_; }

 private:
  bool is_wanted_;
  view::Page page_;
  view::LookedAt looked_at_;
  view::Sources sources_;
  std::vector<Component> components_;
};

/// The page that `nestor lint --html` writes.
std::string lint_page(const LintReport& report, const Options& options);

}  // namespace nestor::driver
