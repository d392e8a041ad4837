#pragma once

#include "base/gzip.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nestor::check {

/// Why a certificate proves nothing: what is wrong, by which rule, at which line.
struct Refusal {
  std::uint32_t line = 0;
  std::string why;
};

/// What certificates of both kinds have (docs/certificates.md): the formulas, the verdict, and the
/// instances with their boxes. Exits are given by their index in Rsm::exits().
struct CertificateFrame {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Subformula {
    logic::Op op = logic::Op::True;
    std::uint32_t left = 0;  // by number, smaller than its own
    std::uint32_t right = 0;
    logic::FormulaId id;  // the same in the pool
  };
  /// The first rows of an instance: nodes, exits and boxes of all instances are numbered in a row.
  struct Instance {
    model::ComponentId component;
    std::uint32_t line = 0;
    std::uint32_t node = 0;   // plain nodes
    std::uint32_t exit = 0;   // exits
    std::uint32_t box = 0;    // boxes
    std::uint32_t point = 0;  // all nodes, call and return nodes included
  };

  std::string model_hash;
  std::uint32_t model_line = 0;
  std::vector<Subformula> formulas;
  bool holds = false;
  std::uint32_t verdict_line = 0;
  std::vector<Instance> instances;
  std::vector<std::uint32_t> callees;       // by box row: an instance
  std::vector<std::uint32_t> callee_lines;  // by box row
};

/// Reads lines and their fields, and what a CertificateFrame has. Throws Refusal for what is
/// damaged, Error as LineReader.
class FrameReader {
 public:
  struct Operator {
    std::string_view name;
    logic::Op op;
  };

  FrameReader(base::LineReader& lines, const model::Rsm& model, logic::FormulaPool& pool,
              CertificateFrame& frame);
  virtual ~FrameReader();
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;

 protected:
  /// All that follows.
  void read(std::span<const Operator> operators);

  /// A line between the formulas and the verdict; false: there is no such line.
  virtual bool head_line() { return false; }
  /// All formulas and other lines of the head are read.
  virtual void end_head() {}
  /// The lines of an instance other than `box`, of which the keyword has been read: `context`,
  /// `value`, `fact` or `point`, `dead` or `deadpoint`.
  virtual void context() = 0;
  virtual void value() = 0;
  virtual void fact(bool is_return) = 0;
  virtual void dead(bool is_return) = 0;
  /// An instance has begun.
  virtual void begin_instance() {}
  /// All lines of an instance are read.
  virtual void end_instance() = 0;

  [[noreturn]] void refuse(std::string why) const;
  void expect(bool condition, const char* what) const;
  std::uint32_t line_number() const { return lines_.line_number(); }
  /// The next line that is not empty, without its comment.
  bool next_line();
  void expect_line() { expect(next_line(), "the certificate ends without 'end'"); }
  /// What has not been read of the line.
  std::string_view rest() const { return rest_; }
  std::string_view take_rest();
  /// The next field; fields are separated by one space.
  std::string_view word();
  std::uint32_t number(std::string_view field) const;
  std::uint32_t below(std::uint32_t value, std::size_t end, std::string_view what) const;
  std::uint32_t number_below(std::size_t end, std::string_view what) {
    return below(number(word()), end, what);
  }
  std::uint32_t formula_number() { return number_below(frame_.formulas.size(), "formula"); }
  /// The rest of the line, a JSON string.
  std::string string();
  /// An exit, given by its position among the nodes of a component.
  std::uint32_t exit_named(model::ComponentId component, std::string_view field) const;
  /// A plain node of the instance, or a return node, given by box and exit of its callee.
  model::NodeId point(bool is_return);

  const model::Rsm& model_;
  const model::Component* component_ = nullptr;  // of the instance being read
  CertificateFrame::Instance next_;              // the first rows of the instance after it

 private:
  struct Json;

  void head(std::span<const Operator> operators);
  void formula(std::span<const Operator> operators);
  void instance();
  void end_boxes();
  void line(std::string_view keyword);  // of an instance
  void box();

  base::LineReader& lines_;
  logic::FormulaPool& pool_;
  CertificateFrame& frame_;
  std::string_view line_;
  std::string_view rest_;
  std::unique_ptr<Json> json_;
  std::unordered_map<std::string_view, model::ComponentId> component_of_name_;
};

/// The first line of a certificate: 1 or 2. Throws as FrameReader.
int certificate_version(base::LineReader& lines);

/// What the rules of both kinds look at.
class FrameRules {
 public:
  FrameRules(const model::Rsm& model, const CertificateFrame& frame)
      : model_(model), frame_(frame) {}

 protected:
  using Instance = std::uint32_t;

  void require(bool condition, std::uint32_t line, const char* why, Instance i,
               model::NodeId n) const;
  const model::Component& component(Instance i) const {
    return model_.component(frame_.instances[i].component);
  }
  std::uint32_t node_row(Instance i, model::NodeId n) const {
    return frame_.instances[i].node + (n - component(i).first_node);
  }
  std::uint32_t box_row(Instance i, model::BoxId b) const {
    return frame_.instances[i].box + (b - component(i).first_box);
  }
  std::uint32_t point_row(Instance i, model::NodeId point) const {
    return frame_.instances[i].point + (point - component(i).first_node);
  }
  Instance callee(Instance i, model::BoxId b) const { return frame_.callees[box_row(i, b)]; }
  /// Each instance says for each of its boxes which instance the callee is; one is the root.
  void check_box_map() const;
  /// By node: whether it carries the proposition of a formula.
  std::string labelled(const logic::FormulaPool& pool, logic::FormulaId atom) const;

  const model::Rsm& model_;

 private:
  const CertificateFrame& frame_;
};

}  // namespace nestor::check
