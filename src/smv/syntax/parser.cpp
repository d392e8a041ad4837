#include "smv/syntax/parser.h"

#include <fmt/format.h>

#include <unordered_set>

namespace nestor::smv {

namespace {

constexpr int kDeepestType = 100;

/// Reads the sections of modules.
class FileParser {
 public:
  explicit FileParser(const base::Input& input) : tokens_(input), expressions_(tokens_, file_) {}

  FileSyntax run() {
    if (!tokens_.at("MODULE")) {
      tokens_.fail_expected("'MODULE'");
    }
    while (tokens_.peek().kind != TokenKind::End) {
      if (!tokens_.at_section()) {
        tokens_.fail_expected("a section such as 'VAR' or 'MODULE'");
      }
      section();
    }
    return std::move(file_);
  }

 private:
  ModuleSyntax& module() { return file_.modules.back(); }

  void section() {
    const Token keyword = tokens_.take();
    if (keyword.is("MODULE")) {
      begin_module();
    } else if (keyword.is("VAR")) {
      variables(VariableKind::State);
    } else if (keyword.is("IVAR")) {
      variables(VariableKind::Input);
    } else if (keyword.is("FROZENVAR")) {
      variables(VariableKind::Frozen);
    } else if (keyword.is("DEFINE")) {
      definitions(module().defines);
    } else if (keyword.is("CALL")) {
      definitions(module().calls);
    } else if (keyword.is("ARRAY")) {
      tokens_.expect("DEFINE", "after 'ARRAY'");
      array_definitions();
    } else if (keyword.is("CONSTANTS")) {
      constants();
    } else if (keyword.is("ASSIGN")) {
      assignments();
    } else if (keyword.is("INIT")) {
      constraint(module().init);
    } else if (keyword.is("TRANS")) {
      constraint(module().trans);
    } else if (keyword.is("INVAR")) {
      constraint(module().invar);
    } else if (keyword.is("FAIRNESS") || keyword.is("JUSTICE")) {
      constraint(module().fairness);
    } else if (keyword.is("ISA")) {
      const Token name = tokens_.expect_name("the name of a module");
      module().inherited.push_back({name.text, name.at});
      tokens_.accept(";");
    } else if (keyword.is("SPEC") || keyword.is("CTLSPEC")) {
      specification(keyword, SpecSyntax::Kind::Ctl);
    } else if (keyword.is("INVARSPEC")) {
      specification(keyword, SpecSyntax::Kind::Invariant);
    } else if (keyword.is("COMPUTE")) {
      computation(keyword);
    } else if (keyword.is("LTLSPEC") || keyword.is("PSLSPEC")) {
      specification(keyword, SpecSyntax::Kind::Ltl);
    } else if (keyword.is("COMPASSION")) {
      skip_section();
      module().refused.push_back({keyword.text, keyword.at});
    } else {  // PRED and MIRROR steer NuSMV's abstraction and are no part of the model
      skip_section();
      file_.skipped.push_back({keyword.text, keyword.at});
    }
  }

  void begin_module() {
    const Token name = tokens_.expect_name("the name of a module");
    if (!module_names_.insert(name.text).second) {
      tokens_.fail(fmt::format("module '{}' is defined twice", name.text), name.at);
    }
    file_.modules.emplace_back();
    module().name = name.text;
    module().at = name.at;
    if (!tokens_.accept("(") || tokens_.accept(")")) {
      return;
    }
    do {
      module().parameters.push_back(tokens_.expect_name("the name of a parameter").text);
    } while (tokens_.accept(","));
    tokens_.expect(")", "after the parameters");
  }

  /// Whether another item of the section begins here.
  bool at_item() const { return !tokens_.at_section(); }

  void variables(VariableKind kind) {
    while (at_item()) {
      const Token first = tokens_.expect_name("the name of a variable or a section");
      const std::string_view name = rest_of_name(first.text);
      tokens_.expect(":", fmt::format("after the variable '{}'", name));
      module().variables.push_back({kind, name, first.at, type(0)});
      tokens_.expect(";", "after the type");
    }
  }

  /// A declared name may have dots and brackets in it: `p.q`, `a[0]`.
  std::string_view rest_of_name(std::string_view first) {
    if (!tokens_.at(".") && !tokens_.at("[")) {
      return first;
    }
    std::string name(first);
    for (;;) {
      if (tokens_.accept(".")) {
        name += fmt::format(".{}", tokens_.expect_name("a name after the dot").text);
      } else if (tokens_.accept("[")) {
        if (tokens_.peek().kind != TokenKind::Number) {
          tokens_.fail_expected("a number in the name");
        }
        name += fmt::format("[{}]", tokens_.take().text);
        tokens_.expect("]", "to close the bracket of the name");
      } else {
        return file_.dotted_names.emplace_back(std::move(name));
      }
    }
  }

  TypeSyntax type(int depth) {
    TypeSyntax result;
    const Token token = tokens_.peek();
    result.at = token.at;
    if (depth > kDeepestType) {
      tokens_.fail(fmt::format("arrays nest more than {} deep", kDeepestType), token.at);
    }
    if (tokens_.accept("boolean")) {
      return result;
    }
    if (token.is("real") || token.is("integer") || token.is("clock")) {
      tokens_.fail(fmt::format("type '{}' is not supported, expected a finite type", token.text),
                   token.at, base::Error::Kind::Unsupported);
    }
    if (token.is("word") || token.is("unsigned") || token.is("signed")) {
      word_type(result);
    } else if (tokens_.accept("array")) {
      array_type(result, depth);
    } else if (tokens_.accept("{")) {
      result.kind = TypeSyntax::Kind::Enumeration;
      do {
        result.values.push_back(expressions_.bound());
      } while (tokens_.accept(","));
      tokens_.expect("}", "to close the enumeration");
    } else if (token.kind == TokenKind::Word && !is_reserved(token.text) &&
               !tokens_.peek(1).is("..") && !tokens_.peek(1).is("+") && !tokens_.peek(1).is("-") &&
               !tokens_.peek(1).is("*")) {
      instance_type(result);
    } else if (tokens_.accept("process")) {
      result.process = true;
      instance_type(result);
    } else {
      result.kind = TypeSyntax::Kind::Range;
      range_type(result);
    }
    return result;
  }

  void range_type(TypeSyntax& result) {
    result.low = expressions_.bound();
    tokens_.expect("..", "of a range, or another type");
    result.high = expressions_.bound();
  }

  void word_type(TypeSyntax& result) {
    result.kind = TypeSyntax::Kind::Word;
    result.is_signed = tokens_.at("signed");
    if (!tokens_.at("word")) {
      tokens_.take();
    }
    tokens_.expect("word", "of a word type");
    tokens_.expect("[", "after 'word'");
    result.low = expressions_.bound();
    tokens_.expect("]", "to close the width");
  }

  void array_type(TypeSyntax& result, int depth) {
    result.kind = TypeSyntax::Kind::Array;
    if (tokens_.at("word") || tokens_.at("integer")) {
      tokens_.fail(fmt::format("arrays indexed by '{}' are not supported", tokens_.peek().text),
                   tokens_.peek().at, base::Error::Kind::Unsupported);
    }
    range_type(result);
    tokens_.expect("of", "after the bounds of the array");
    result.element.push_back(type(depth + 1));
  }

  void instance_type(TypeSyntax& result) {
    result.kind = TypeSyntax::Kind::Instance;
    result.module = tokens_.expect_name("the name of a module").text;
    if (!tokens_.accept("(") || tokens_.accept(")")) {
      return;
    }
    do {
      result.values.push_back(expressions_.expression());
    } while (tokens_.accept(","));
    tokens_.expect(")", "after the arguments");
  }

  void definitions(std::vector<DefineSyntax>& list) {
    while (at_item()) {
      const ExprId name = expressions_.designator();
      tokens_.expect(":=", "after the name");
      if (tokens_.at("[") && &list == &module().defines && file_[name].kind == Syntax::Name) {
        array_definition(file_[name].text, file_[name].at);
        continue;
      }
      const ExprId value = expressions_.expression();
      tokens_.expect(";", "after the definition");
      list.push_back({name, value});
    }
  }

  void array_definitions() {
    while (at_item()) {
      const Token name = tokens_.expect_name("the name of an array");
      tokens_.expect(":=", "after the name");
      array_definition(name.text, name.at);
    }
  }

  void array_definition(std::string_view name, Place at) {
    ArrayDefineSyntax array{name, at, array_value(0)};
    tokens_.expect(";", "after the array");
    module().array_defines.push_back(std::move(array));
  }

  ArrayValueSyntax array_value(int depth) {
    if (depth > kDeepestType) {
      tokens_.fail(fmt::format("arrays nest more than {} deep", kDeepestType), tokens_.peek().at);
    }
    ArrayValueSyntax result;
    tokens_.expect("[", "of the array");
    do {
      if (tokens_.at("[")) {
        result.elements.push_back(array_value(depth + 1));
      } else {
        result.elements.push_back({expressions_.expression(), {}});
      }
    } while (tokens_.accept(","));
    tokens_.expect("]", "to close the array");
    return result;
  }

  void constants() {
    do {
      module().constants.push_back(tokens_.expect_name("the name of a constant").text);
    } while (tokens_.accept(","));
    tokens_.expect(";", "after the constants");
  }

  void assignments() {
    while (at_item()) {
      AssignSyntax assign;
      if (tokens_.at("init") || tokens_.at("next")) {
        const Token keyword = tokens_.take();
        assign.kind = keyword.is("init") ? AssignSyntax::Kind::Init : AssignSyntax::Kind::Next;
        tokens_.expect("(", fmt::format("after '{}'", keyword.text));
        assign.variable = expressions_.designator();
        tokens_.expect(")", "after the variable");
      } else {
        assign.variable = expressions_.designator();
      }
      tokens_.expect(":=", "of the assignment");
      assign.value = expressions_.expression();
      tokens_.expect(";", "after the assignment");
      module().assigns.push_back(assign);
    }
  }

  void constraint(std::vector<ExprId>& list) {
    list.push_back(expressions_.expression());
    end_of_constraint();
  }

  void end_of_constraint() {
    if (!tokens_.accept(";") && !tokens_.at_section()) {
      tokens_.fail_expected("an operator, ';' or a section");
    }
  }

  void name_of(SpecSyntax& spec) {
    if (tokens_.accept("NAME")) {
      spec.name = tokens_.expect_name("the name of the specification").text;
      tokens_.expect(":=", "after the name");
    }
  }

  void specification(const Token& keyword, SpecSyntax::Kind kind) {
    SpecSyntax spec{kind, keyword.text, {}, {}, {}, keyword.at, {}, {}};
    name_of(spec);
    const std::size_t first = tokens_.position();
    spec.at = tokens_.peek().at;
    if (keyword.is("PSLSPEC")) {
      property_of_psl(spec);
    } else {
      spec.formula =
          kind == SpecSyntax::Kind::Ltl ? expressions_.ltl_expression() : expressions_.expression();
    }
    spec.text = tokens_.quote(first, tokens_.position());
    end_of_constraint();
    module().specs.push_back(std::move(spec));
  }

  /// What LTL cannot say is no mistake of the file: it is not decided, that is all.
  void property_of_psl(SpecSyntax& spec) {
    const std::size_t first = tokens_.position();
    try {
      spec.formula = expressions_.psl_expression();
    } catch (const base::Error& error) {
      if (error.kind() != base::Error::Kind::Unsupported) {
        throw;
      }
      spec.kind = SpecSyntax::Kind::Unsupported;
      spec.refused = error.message();
      tokens_.go_back(first);
      skip_tokens();
    }
  }

  /// `COMPUTE MIN [from, to]`
  void computation(const Token& keyword) {
    SpecSyntax spec{SpecSyntax::Kind::Shortest, keyword.text, {}, {}, {}, keyword.at, {}, {}};
    name_of(spec);
    const std::size_t first = tokens_.position();
    spec.at = tokens_.peek().at;
    if (tokens_.accept("MAX")) {
      spec.kind = SpecSyntax::Kind::Longest;
    } else {
      tokens_.expect("MIN", "or 'MAX' after 'COMPUTE'");
    }
    tokens_.expect("[", "before the two conditions");
    spec.formula = expressions_.expression();
    tokens_.expect(",", "between the two conditions");
    spec.goal = expressions_.expression();
    tokens_.expect("]", "after the two conditions");
    spec.text = tokens_.quote(first, tokens_.position());
    end_of_constraint();
    module().specs.push_back(std::move(spec));
  }

  /// Semicolons in braces are those of a regular expression.
  void skip_tokens() {
    std::size_t depth = 0;
    while (!tokens_.at_section() && (depth > 0 || !tokens_.at(";"))) {
      depth += tokens_.at("{") ? 1 : 0;
      depth -= depth > 0 && tokens_.at("}") ? 1 : 0;
      tokens_.take();
    }
  }

  void skip_section() {
    skip_tokens();
    tokens_.accept(";");
  }

  FileSyntax file_;
  std::unordered_set<std::string_view> module_names_;
  TokenStream tokens_;
  ExpressionParser expressions_;
};

}  // namespace

FileSyntax parse_file(const base::Input& input) {
  return FileParser(input).run();
}

}  // namespace nestor::smv
