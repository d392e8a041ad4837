# The return node of a call leads straight to the call node of the same call. f is one node, so all
# of that is a single state with itself as successor: the run is start, only, only, …

# EXPECT: holds
AX AG in_f
# EXPECT: holds
AX EG in_f
# EXPECT: holds
AG EX true
# EXPECT: fails
EX EX !in_f
