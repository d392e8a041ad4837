# start, in, out, after: the call node is the entry and the exit is the return node.

# EXPECT: holds
AX a
# EXPECT: holds
AX AX b
# EXPECT: holds
AX AX AX done
# EXPECT: fails
EX EX done
# EXPECT: fails
EX EX a
# EXPECT: fails
EX EX EX b
# Labels of f are seen from outside, through the whole call.
# EXPECT: holds
AX A [ (a | b) U done ]
