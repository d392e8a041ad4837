# f has two entries; only the left one leads to its exit.

# EXPECT: holds
EX l & EX r & AX (l | r)
# EXPECT: holds
AG (l -> AF done)
# EXPECT: holds
AG (r -> !EF done)
# EXPECT: fails
AF done
# EXPECT: holds
AF (done | t)
