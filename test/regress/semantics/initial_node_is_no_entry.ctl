# The run starts at `middle`; the entry is never visited.

# EXPECT: holds
q
# EXPECT: holds
AG !p
# EXPECT: holds
AX AG r
