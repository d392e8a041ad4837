# f may call g, g always calls f. However deep the calls, f can return at once, and then every level
# returns in turn: exits only follow exits.

# EXPECT: holds
AG EF done
# EXPECT: fails
AF done
# g has called f in the very next step.
# EXPECT: holds
AG (c -> AX a)
# After an exit comes the exit one level up, or the end.
# EXPECT: holds
AG ((b | d) -> A [ (b | d) U done ])
# From f at the bottom of the stack the exit of g cannot come before that of f.
# EXPECT: holds
AX !E [ !b U d ]
# EXPECT: holds
EG (!b & !d)
