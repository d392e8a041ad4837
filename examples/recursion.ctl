# Properties of recursion.rsm, the model of Recursion.java.

# The program ends. By the model it need not: visit can call itself for ever.
# EXPECT: fails
ends := AF done

# What is locked is unlocked later, whatever happens.
# EXPECT: fails
unlocks := AG (locked -> AF unlocked)

# As long as nothing was unlocked, one can still get to the end without going deeper.
# EXPECT: fails
shallow := A [ E [ !deeper U done ] W unlocked ]

# It is possible to come to the end.
# EXPECT: holds
can_end := EF done
