#include "view/model_document.h"

#include "base/json_writer.h"
#include "base/strong_components.h"
#include "view/layout.h"

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

/// One procedure, its nodes and then its boxes numbered.
struct Procedure {
  const Component* component = nullptr;
  std::size_t size = 0;                   ///< of all nodes
  std::vector<std::uint32_t> kept;        ///< numbers of nodes that are written
  std::vector<LayoutGraph::Edge> edges;   ///< sorted, each once
  std::vector<std::uint32_t> callees;     ///< by box
  std::vector<std::uint32_t> is_kept_as;  ///< by node and box: its number among what is written

  std::size_t ends() const { return size + component->boxes.size(); }
};

constexpr std::uint32_t kLeftOut = ~std::uint32_t{0};

class Document {
 public:
  Document(Model& model, const LookedAt& looked_at)
      : by_states_(model.is_given_by_states()),
        components_(model.components()),
        looked_at_(looked_at) {
    for (std::uint32_t c = 0; c < components_.size(); ++c) {
      numbers_.emplace(components_[c].name, c);
    }
    initial_ = numbers_.at(model.initial_component());
    for (const Component& component : components_) {
      procedures_.push_back(procedure_of(component));
      nodes_ += component.nodes.size();
    }
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
  Procedure procedure_of(const Component& component) const {
    Procedure result;
    result.component = &component;
    result.size = component.nodes.size();
    std::map<std::string_view, std::uint32_t> nodes;
    std::map<std::string_view, std::uint32_t> boxes;
    for (std::uint32_t n = 0; n < result.size; ++n) {
      nodes.emplace(component.nodes[n].name, n);
    }
    for (std::uint32_t b = 0; b < component.boxes.size(); ++b) {
      boxes.emplace(component.boxes[b].name, static_cast<std::uint32_t>(result.size + b));
      result.callees.push_back(numbers_.at(component.boxes[b].callee));
    }
    const auto number = [&](const End& end) {
      return end.box.empty() ? nodes.at(end.node) : boxes.at(end.box);
    };
    for (const Component::Transition& transition : component.transitions) {
      result.edges.push_back({number(transition.from), number(transition.to)});
    }
    std::sort(result.edges.begin(), result.edges.end());
    result.edges.erase(std::unique(result.edges.begin(), result.edges.end()), result.edges.end());
    return result;
  }

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
      for (const std::uint32_t callee : procedures_[order[i]].callees) {
        visit(callee);
      }
    }
    for (std::uint32_t p = 0; p < procedures_.size(); ++p) {
      visit(p);
    }
    std::size_t left = kMostWritten;
    for (const std::uint32_t p : order) {
      keep(procedures_[p], std::min(left, kMostOfOne));
      left -= std::min(left, procedures_[p].kept.size());
    }
    std::size_t work = kMostWork;
    layouts_.resize(procedures_.size());
    for (const std::uint32_t p : order) {
      layouts_[p] = draw(procedures_[p], work);
    }
  }

  /// All nodes if they are so many at most; else those that are looked at, the entries, and what is
  /// near, breadth first.
  void keep(Procedure& procedure, std::size_t most) const {
    procedure.is_kept_as.assign(procedure.ends(), kLeftOut);
    if (procedure.size <= most) {
      procedure.kept.resize(procedure.size);
      std::iota(procedure.kept.begin(), procedure.kept.end(), 0U);
    } else if (most > 0) {
      for (const std::uint32_t n : near(procedure, most)) {
        if (n < procedure.size) {
          procedure.kept.push_back(n);
        }
      }
      std::sort(procedure.kept.begin(), procedure.kept.end());
    }
    for (std::uint32_t i = 0; i < procedure.kept.size(); ++i) {
      procedure.is_kept_as[procedure.kept[i]] = i;
    }
    // A call takes little room; all are written if anything is.
    for (std::size_t b = 0; b < procedure.callees.size() && most > 0; ++b) {
      procedure.is_kept_as[procedure.size + b] =
          static_cast<std::uint32_t>(procedure.kept.size() + b);
    }
  }

  /// Nodes and boxes: those looked at, then what follows them or leads to them.
  std::vector<std::uint32_t> near(const Procedure& procedure, std::size_t most) const {
    const std::vector<Component::Node>& nodes = procedure.component->nodes;
    std::vector<std::uint32_t> found;
    std::vector<bool> seen(procedure.ends(), false);
    const auto visit = [&](std::uint32_t n) {
      if (!seen[n] && found.size() < most) {
        seen[n] = true;
        found.push_back(n);
      }
    };
    for (std::uint32_t n = 0; n < procedure.size; ++n) {
      if (looked_at_.contains(procedure.component->name, nodes[n].name)) {
        visit(n);
      }
    }
    for (std::uint32_t n = 0; n < procedure.size; ++n) {
      if (nodes[n].is_entry) {
        visit(n);
      }
    }
    for (std::size_t before = 0; before < found.size() && found.size() < most;) {
      before = found.size();
      std::vector<bool> now = seen;
      for (const LayoutGraph::Edge& edge : procedure.edges) {
        if (now[edge.from]) {
          visit(edge.to);
        } else if (now[edge.to]) {
          visit(edge.from);
        }
      }
    }
    return found;
  }

  /// Where to draw a procedure, if it is there as a whole; as JSON, empty if nowhere.
  std::string draw(const Procedure& procedure, std::size_t& work) const {
    if (procedure.kept.size() < procedure.size) {
      return {};
    }
    LayoutGraph graph;
    for (const Component::Node& node : procedure.component->nodes) {
      graph.widths.push_back(by_states_ ? kStateWidth : width_of(node.name));
    }
    for (const Component::Box& box : procedure.component->boxes) {
      graph.widths.push_back(width_of(box.callee));
    }
    graph.edges = procedure.edges;
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

  void write_procedure(const Procedure& procedure) {
    json_.member("size", procedure.size).begin_array("callees");
    std::vector<std::uint32_t> callees = procedure.callees;
    std::sort(callees.begin(), callees.end());
    callees.erase(std::unique(callees.begin(), callees.end()), callees.end());
    for (const std::uint32_t callee : callees) {
      json_.value(callee);
    }
    json_.end_array().begin_array("nodes");
    for (const std::uint32_t n : procedure.kept) {
      write_node(procedure.component->nodes[n]);
    }
    json_.end_array();
    if (procedure.kept.empty()) {
      return;
    }
    json_.begin_array("boxes");
    for (std::size_t b = 0; b < procedure.callees.size(); ++b) {
      json_.begin_object().member("name", procedure.component->boxes[b].name);
      json_.member("callee", procedure.callees[b]).end_object();
    }
    json_.end_array().begin_array("edges");
    for (const LayoutGraph::Edge& edge : procedure.edges) {
      const std::uint32_t from = procedure.is_kept_as[edge.from];
      const std::uint32_t to = procedure.is_kept_as[edge.to];
      if (from != kLeftOut && to != kLeftOut) {
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
      const std::vector<std::uint32_t>& callees = procedures_[p].callees;
      return position < callees.size() ? callees[position++] : base::StrongComponents::kNone;
    };
    return base::strong_components(procedures_.size(), next, [] {}).of;
  }

  void call_graph() {
    LayoutGraph graph;
    for (std::uint32_t p = 0; p < procedures_.size(); ++p) {
      graph.widths.push_back(width_of(components_[p].name));
      for (const std::uint32_t callee : procedures_[p].callees) {
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
  std::vector<Procedure> procedures_;
  std::vector<std::string> layouts_;
  Texts labels_;
  Texts files_;
  std::string out_;
  base::JsonWriter json_{out_};
};

}  // namespace

void LookedAt::add(const Witness& witness) {
  for (std::size_t i = 0; i < witness.size(); ++i) {
    for (Witness::Step& step : witness.piece(i).path) {
      procedures_.insert(step.procedure);
      nodes_.insert({std::move(step.procedure), std::move(step.node)});
    }
  }
}

std::string model_document(Model model, const LookedAt& looked_at) {
  if (!model.is_explored() || model.sizes().nodes > kMostModel) {
    return {};
  }
  return Document(model, looked_at).write();
}

}  // namespace nestor::view
