# As unlisted_return_node, but the return node is listed and merely leads nowhere: the same meaning.

# EXPECT: holds
AG (stuck -> !EX true)
# EXPECT: fails
AF done
# EXPECT: holds
AF (done | stuck)
