#include "net/symmetric_net.h"

#include "model/explore.h"

#include <gtest/gtest.h>

namespace nestor::net {
namespace {

/// Three colours in a ring; `t` moves a token that is not `c` from p to q, as the next colour.
constexpr const char* kRing = R"(<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
 <net id="ring" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
  <page id="page">
   <place id="p"><type><structure><usersort declaration="C"/></structure></type>
    <hlinitialMarking><structure><all><usersort declaration="C"/></all></structure></hlinitialMarking>
   </place>
   <place id="q"><type><structure><usersort declaration="C"/></structure></type></place>
   <transition id="t"><condition><structure><inequality>
     <subterm><variable refvariable="x"/></subterm>
     <subterm><useroperator declaration="c"/></subterm>
    </inequality></structure></condition></transition>
   <arc id="in" source="p" target="t"><hlinscription><structure>
     <numberof><subterm><numberconstant value="1"><positive/></numberconstant></subterm>
      <subterm><variable refvariable="x"/></subterm></numberof>
    </structure></hlinscription></arc>
   <arc id="out" source="t" target="q"><hlinscription><structure>
     <successor><subterm><variable refvariable="x"/></subterm></successor>
    </structure></hlinscription></arc>
  </page>
  <declaration><structure><declarations>
    <namedsort id="C" name="C"><cyclicenumeration>
      <feconstant id="a" name="a"/><feconstant id="b" name="b"/><feconstant id="c" name="c"/>
     </cyclicenumeration></namedsort>
    <variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl>
  </declarations></structure></declaration>
 </net>
</pnml>
)";

TEST(SymmetricNet, IsUnfoldedByGuardsAndColours) {
  const base::Input input = base::Input::from_text("ring.pnml", kRing);
  ASSERT_TRUE(is_symmetric_net(input));
  const std::shared_ptr<NetStates> states = unfold(read_symmetric_net(input), {});
  EXPECT_EQ(states->net().transition_count(), 2U);  // x is a or b
  EXPECT_EQ(states->net().place_count(), 5U);       // nothing comes to q as a
  const std::vector<std::string> props = {"tokens(p) = 3", "tokens(q) = 2", "tokens(\"q<c>\") = 1",
                                          "fireable(t)"};
  const model::Rsm model = model::explore(states, props, {});
  EXPECT_EQ(model.node_count(), 4U);  // a moved or not, b moved or not
  const auto count = [&](std::size_t i) {
    return model.nodes_with(model.find_prop(props[i])).size();
  };
  EXPECT_EQ(count(0), 1U);
  EXPECT_EQ(count(1), 1U);
  EXPECT_EQ(count(2), 2U);
  EXPECT_EQ(count(3), 3U);
  ASSERT_TRUE(model.step(model::NodeId(0), model::NodeId(1)));
  EXPECT_EQ(to_text(*model.step(model::NodeId(0), model::NodeId(1))), "t(x=a)");
  EXPECT_EQ(model.change(model::NodeId(0), model::NodeId(1)), "-p<a> +q<b>");
  EXPECT_EQ(to_text(*model.step(model::NodeId(0), model::NodeId(2))), "t(x=b)");
  EXPECT_FALSE(model.step(model::NodeId(0), model::NodeId(3)));
}

TEST(SymmetricNet, TooManyBindingsAreALimit) {
  base::Limits limits;
  limits.steps = 1;
  EXPECT_THROW(unfold(read_symmetric_net(base::Input::from_text("ring.pnml", kRing)), limits),
               base::LimitReached);
}

}  // namespace
}  // namespace nestor::net
