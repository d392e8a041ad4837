#include "view/model_document.h"

#include "base/json_writer.h"
#include "base/strong_components.h"
#include "view/layout.h"
#include "view/procedure_graph.h"
#include "view/state_component.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

namespace nestor::view {

namespace {

constexpr std::size_t kMostModel = 1'000'000;  // nodes; no page for larger models
constexpr std::size_t kMostWritten = 60'000;   // nodes of all procedures
constexpr std::size_t kMostOfOne = 4'000;      // nodes of a procedure
constexpr std::size_t kMostDrawn = 60;         // nodes and calls in one drawing
constexpr std::size_t kFewDrawn = 20;          // that are clear, however many transitions there are
constexpr std::size_t kMostWork = 30'000;      // nodes and edges of all drawings
constexpr std::size_t kStateWidth = 64;        // points
constexpr std::size_t kMostText = 24;          // characters of a name in a drawing

std::uint32_t width_of(std::string_view name) {
  return static_cast<std::uint32_t>(20 + 7 * std::min(name.size(), kMostText));
}

class Document {
 public:
  Document(Model& model, const LookedAt& looked_at)
      : by_states_(model.is_given_by_states()),
        components_(by_states_
                        ? std::vector{state_component(model, model.initial_component(), looked_at)}
                        : model.components()),
        looked_at_(looked_at) {
    for (std::uint32_t c = 0; c < components_.size(); ++c) {
      numbers_.emplace(components_[c].name, c);
    }
    initial_ = numbers_.at(model.initial_component());
    for (const Component& component : components_) {
      procedures_.emplace_back(component, numbers_);
    }
    nodes_ = model.sizes().plain_nodes;
    choose();
  }

  std::string write() {
    json_.begin_object().member("nodes", nodes_).member("initial", initial_);
    json_.member("graphviz", can_lay_out()).member("states", by_states_);
    json_.begin_array("procedures");
    const std::vector<std::uint32_t> strong = strong_components();
    for (std::uint32_t p = 0; p < procedures_.size(); ++p) {
      json_.line().begin_object().member("name", components_[p].name);
      json_.member("component", strong[p]);
      write_procedure(procedures_[p]);
      json_.end_object();
    }
    json_.end_array();
    texts("labels", labels_);
    texts("files", files_);
    call_graph();
    json_.end_object();
    return std::move(out_);
  }

 private:
  /// What is written: procedures looked at first, then those that are near the initial one.
  void choose() {
    std::vector<std::uint32_t> order;
    std::vector<bool> seen(procedures_.size(), false);
    const auto visit = [&](std::uint32_t p) {
      if (!seen[p]) {
        seen[p] = true;
        order.push_back(p);
      }
    };
    for (const std::string& name : looked_at_.procedures()) {
      if (const auto found = numbers_.find(name); found != numbers_.end()) {
        visit(found->second);
      }
    }
    visit(initial_);
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const std::uint32_t callee : procedures_[order[i]].callees()) {
        visit(callee);
      }
    }
    for (std::uint32_t p = 0; p < procedures_.size(); ++p) {
      visit(p);
    }
    std::size_t left = kMostWritten;
    for (const std::uint32_t p : order) {
      procedures_[p].keep(std::min(left, kMostOfOne), looked_at_);
      left -= std::min(left, procedures_[p].kept().size());
    }
    std::size_t work = kMostWork;
    layouts_.resize(procedures_.size());
    for (const std::uint32_t p : order) {
      layouts_[p] = draw(procedures_[p], work);
    }
  }

  /// Where to draw a procedure, if it is there as a whole; as JSON, empty if nowhere.
  std::string draw(const ProcedureGraph& procedure, std::size_t& work) const {
    if (procedure.kept().size() < (by_states_ ? nodes_ : procedure.size())) {
      return {};
    }
    LayoutGraph graph;
    for (const Component::Node& node : procedure.component().nodes) {
      graph.widths.push_back(by_states_ ? kStateWidth : width_of(node.name));
    }
    for (const Component::Box& box : procedure.component().boxes) {
      graph.widths.push_back(width_of(box.callee));
    }
    graph.edges = procedure.edges();
    return draw(graph, work);
  }

  /// Only what can be seen through: a page draws what is near a node of any other graph.
  static std::string draw(const LayoutGraph& graph, std::size_t& work) {
    const std::size_t nodes = graph.widths.size();
    const std::size_t cost = nodes + graph.edges.size();
    if (nodes == 0 || nodes > kMostDrawn || cost > work ||
        (nodes > kFewDrawn && 2 * graph.edges.size() > 3 * nodes)) {
      return {};
    }
    work -= cost;
    const std::optional<Layout> layout = lay_out(graph);
    return layout ? layout_json(graph, *layout) : std::string();
  }

  static std::string layout_json(const LayoutGraph& graph, const Layout& layout) {
    const auto number = [](int value) { return static_cast<std::uint32_t>(std::max(value, 0)); };
    std::string out;
    base::JsonWriter json(out);
    json.begin_object().member("width", number(layout.width));
    json.member("height", number(layout.height)).begin_array("at");
    for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
      json.value(number(layout.nodes[i].x)).value(number(layout.nodes[i].y));
      json.value(graph.widths[i]);
    }
    json.end_array().begin_array("edges");
    for (std::size_t e = 0; e < layout.curves.size(); ++e) {
      json.begin_object().member("from", graph.edges[e].from).member("to", graph.edges[e].to);
      json.begin_array("curve");
      for (const Layout::Point& point : layout.curves[e]) {
        json.value(number(point.x)).value(number(point.y));
      }
      json.end_array().end_object();
    }
    json.end_array().end_object();
    return out;
  }

  void write_procedure(const ProcedureGraph& procedure) {
    json_.member("size", by_states_ ? nodes_ : procedure.size()).begin_array("callees");
    std::vector<std::uint32_t> callees = procedure.callees();
    std::sort(callees.begin(), callees.end());
    callees.erase(std::unique(callees.begin(), callees.end()), callees.end());
    for (const std::uint32_t callee : callees) {
      json_.value(callee);
    }
    json_.end_array().begin_array("nodes");
    for (const std::uint32_t n : procedure.kept()) {
      write_node(procedure.component().nodes[n]);
    }
    json_.end_array();
    if (procedure.kept().empty()) {
      return;
    }
    json_.begin_array("boxes");
    for (std::size_t b = 0; b < procedure.callees().size(); ++b) {
      json_.begin_object().member("name", procedure.component().boxes[b].name);
      json_.member("callee", procedure.callees()[b]).end_object();
    }
    json_.end_array().begin_array("edges");
    for (const LayoutGraph::Edge& edge : procedure.edges()) {
      const std::uint32_t from = procedure.number(edge.from);
      const std::uint32_t to = procedure.number(edge.to);
      if (from != ProcedureGraph::kLeftOut && to != ProcedureGraph::kLeftOut) {
        json_.value(from).value(to);
      }
    }
    json_.end_array();
    const std::string& layout = layouts_[static_cast<std::size_t>(&procedure - &procedures_[0])];
    if (!layout.empty()) {
      json_.key("layout").json(layout);
    }
  }

  void write_node(const Component::Node& node) {
    json_.begin_object().member("name", node.name);
    if (node.is_entry) {
      json_.member("entry", true);
    }
    if (node.is_exit) {
      json_.member("exit", true);
    }
    if (!node.labels.empty()) {
      json_.begin_array("labels");
      for (const std::string& label : node.labels) {
        json_.value(number_in(labels_, label));
      }
      json_.end_array();
    }
    if (!node.file.empty()) {
      json_.member("file", number_in(files_, node.file)).member("line", node.line);
    }
    json_.end_object();
  }

  using Texts = std::map<std::string, std::uint32_t>;
  static std::uint32_t number_in(Texts& texts, const std::string& text) {
    return texts.emplace(text, static_cast<std::uint32_t>(texts.size())).first->second;
  }
  void texts(std::string_view key, const Texts& texts) {
    std::vector<const std::string*> ordered(texts.size());
    for (const auto& [text, number] : texts) {
      ordered[number] = &text;
    }
    json_.line().begin_array(key);
    for (const std::string* text : ordered) {
      json_.value(*text);
    }
    json_.end_array();
  }

  std::vector<std::uint32_t> strong_components() const {
    const auto next = [this](std::uint32_t p, auto& position) {
      const std::vector<std::uint32_t>& callees = procedures_[p].callees();
      return position < callees.size() ? callees[position++] : base::StrongComponents::kNone;
    };
    return base::strong_components(procedures_.size(), next, [] {}).of;
  }

  void call_graph() {
    LayoutGraph graph;
    for (std::uint32_t p = 0; p < procedures_.size(); ++p) {
      graph.widths.push_back(width_of(components_[p].name));
      for (const std::uint32_t callee : procedures_[p].callees()) {
        graph.edges.push_back({p, callee});
      }
    }
    std::sort(graph.edges.begin(), graph.edges.end());
    graph.edges.erase(std::unique(graph.edges.begin(), graph.edges.end()), graph.edges.end());
    std::size_t work = kMostWork;
    if (const std::string layout = draw(graph, work); !layout.empty()) {
      json_.line().key("layout").json(layout);
    }
  }

  bool by_states_;
  std::vector<Component> components_;
  const LookedAt& looked_at_;
  std::map<std::string, std::uint32_t> numbers_;  // of procedures
  std::uint32_t initial_ = 0;
  std::size_t nodes_ = 0;
  std::vector<ProcedureGraph> procedures_;
  std::vector<std::string> layouts_;
  Texts labels_;
  Texts files_;
  std::string out_;
  base::JsonWriter json_{out_};
};

}  // namespace

std::string model_document(Model model, const LookedAt& looked_at) {
  if (!model.is_explored() || model.sizes().nodes > kMostModel) {
    return {};
  }
  return Document(model, looked_at).write();
}

}  // namespace nestor::view
