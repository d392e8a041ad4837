# c is entered at e1 by the call whose return leads to `a`, and at e2, before the node with `b`, by
# the call whose return does not. Both calls can see the node with `b`, but only one gets there.

# EXPECT: fails
EF (b & EX EX a)
# EXPECT: fails
EF (b & EF a)
# EXPECT: holds
EF b & EF a
# EXPECT: holds
AG (b -> AX AX !a)
