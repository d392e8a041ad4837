# The model of dead_end, with a self-loop wherever a run would end.
# ARGS: --dead-ends=loop

# EXPECT: holds
AG EX true
# EXPECT: holds
AX AG end
# EXPECT: fails
AF never
# EXPECT: holds
EX EX end
# EXPECT: fails
AX AX false
