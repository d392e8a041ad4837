#include "smv/syntax/dialect.h"

#include <array>

namespace nestor::smv {

namespace {

// NuSMV 2.6 user manual, section 2.2.3; operators of CTL stand between comparison and `&`.
constexpr int kImplies = 1;
constexpr int kIff = 2;
constexpr int kConditional = 3;
constexpr int kOr = 4;
constexpr int kAnd = 5;
constexpr int kPath = 6;
constexpr int kComparison = 7;
constexpr int kIn = 8;
constexpr int kUnion = 9;
constexpr int kShift = 10;
constexpr int kSum = 11;
constexpr int kProduct = 12;
constexpr int kConcat = 13;

constexpr std::array kSmvOperators = {
    BinaryOperator{"->", Syntax::Implies, kImplies, true},
    BinaryOperator{"<->", Syntax::Iff, kIff},
    BinaryOperator{"|", Syntax::Or, kOr},
    BinaryOperator{"||", Syntax::Or, kOr},
    BinaryOperator{"xor", Syntax::Xor, kOr},
    BinaryOperator{"xnor", Syntax::Xnor, kOr},
    BinaryOperator{"&", Syntax::And, kAnd},
    BinaryOperator{"&&", Syntax::And, kAnd},
    BinaryOperator{"=", Syntax::Equal, kComparison},
    BinaryOperator{"!=", Syntax::NotEqual, kComparison},
    BinaryOperator{"<", Syntax::Less, kComparison},
    BinaryOperator{"<=", Syntax::LessEqual, kComparison},
    BinaryOperator{">", Syntax::Greater, kComparison},
    BinaryOperator{">=", Syntax::GreaterEqual, kComparison},
    BinaryOperator{"in", Syntax::In, kIn},
    BinaryOperator{"union", Syntax::Union, kUnion},
    BinaryOperator{"<<", Syntax::ShiftLeft, kShift},
    BinaryOperator{">>", Syntax::ShiftRight, kShift},
    BinaryOperator{"+", Syntax::Plus, kSum},
    BinaryOperator{"-", Syntax::Minus, kSum},
    BinaryOperator{"*", Syntax::Times, kProduct},
    BinaryOperator{"/", Syntax::Divide, kProduct},
    BinaryOperator{"mod", Syntax::Mod, kProduct},
    BinaryOperator{"::", Syntax::Concat, kConcat},
};

// PSL has an order of its own: NuSMV 2.6's, where `->` groups to the left and `||` binds less
// tightly than `|`. Only `in` and `union` bind as in SMV; in NuSMV they take all of `y & z` in `x
// in y & z`, which is no set.
constexpr int kPslConditional = 8;
constexpr int kPslOrElse = 9;
constexpr int kPslAndAlso = 10;
constexpr int kPslOr = 11;
constexpr int kPslXor = 12;
constexpr int kPslAnd = 13;
constexpr int kPslEqual = 14;
constexpr int kPslLess = 15;
constexpr int kPslIn = 16;
constexpr int kPslUnion = 17;
constexpr int kPslShift = 18;
constexpr int kPslSum = 19;
constexpr int kPslProduct = 20;

constexpr std::array kPslOperators = {
    BinaryOperator{"->", Syntax::Implies, kPslImplies},
    BinaryOperator{"<->", Syntax::Iff, kPslImplies},
    BinaryOperator{"||", Syntax::Or, kPslOrElse},
    BinaryOperator{"&&", Syntax::And, kPslAndAlso},
    BinaryOperator{"|", Syntax::Or, kPslOr},
    BinaryOperator{"xor", Syntax::Xor, kPslXor},
    BinaryOperator{"xnor", Syntax::Xnor, kPslXor},
    BinaryOperator{"&", Syntax::And, kPslAnd},
    BinaryOperator{"=", Syntax::Equal, kPslEqual},
    BinaryOperator{"!=", Syntax::NotEqual, kPslEqual},
    BinaryOperator{"<", Syntax::Less, kPslLess},
    BinaryOperator{"<=", Syntax::LessEqual, kPslLess},
    BinaryOperator{">", Syntax::Greater, kPslLess},
    BinaryOperator{">=", Syntax::GreaterEqual, kPslLess},
    BinaryOperator{"in", Syntax::In, kPslIn},
    BinaryOperator{"union", Syntax::Union, kPslUnion},
    BinaryOperator{"<<", Syntax::ShiftLeft, kPslShift},
    BinaryOperator{">>", Syntax::ShiftRight, kPslShift},
    BinaryOperator{"+", Syntax::Plus, kPslSum},
    BinaryOperator{"-", Syntax::Minus, kPslSum},
    BinaryOperator{"*", Syntax::Times, kPslProduct},
    BinaryOperator{"/", Syntax::Divide, kPslProduct},
    BinaryOperator{"mod", Syntax::Mod, kPslProduct},
    BinaryOperator{"::", Syntax::Concat, kPslProduct},
};

}  // namespace

const Dialect kSmv{Dialect::Kind::Smv, kSmvOperators, kImplies, kConditional, kComparison, kSum};
const Dialect kLtl{Dialect::Kind::Ltl, kSmvOperators, kImplies, kConditional, kComparison, kSum};
const Dialect kPsl{Dialect::Kind::Psl, kPslOperators,  kPslAlways,
                   kPslConditional,    kPslLetter + 1, kPslSum};

}  // namespace nestor::smv
