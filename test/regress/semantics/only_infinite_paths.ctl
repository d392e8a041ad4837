# The model of unlisted_return_node, where a run that reaches `bad` ends. Only infinite runs count here: those through `good`.
# ARGS: --dead-ends=infinite

# EXPECT: holds
AF done
# EXPECT: fails
EF stuck
# EXPECT: holds
AG EX true
# EXPECT: fails
EG !done
# EXPECT: holds
AX AX ok
# EXPECT: holds
A [!done U ok]
