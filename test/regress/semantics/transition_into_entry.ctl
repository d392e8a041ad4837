# Inside f a transition leads back to the entry: a loop at the head of a procedure, not a new call.
# start, in, work, then either in again or out and after.

# Once more round the loop, still inside the one call.
# EXPECT: holds
AX AX AX (p | r)
# EXPECT: holds
EX EG (p | q)
# For ever in the loop: `after` need not be reached.
# EXPECT: fails
AF done
# Going back to the entry pushes nothing: from the entry, two steps leave f and a third is `after`.
# EXPECT: holds
AG (p -> EX EX EX done)
# EXPECT: holds
AG EF done
