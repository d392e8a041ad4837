# Properties of dataflow.rsm, the model of Dataflow.java.

# Whatever is stored in i is read some time later. It is not: nobody reads the
# square that b stores in line 23.
# EXPECT: fails
used_later := AG (def_i -> EF use_i)

# The first value is read: from the start, i is not stored again before its use.
# EXPECT: holds
first_is_used := AX A [ !def_i U use_i ]

# The program ends.
# EXPECT: holds
terminates := AF end
