# No node carries `a`, so EX a holds nowhere and neither does anything that must reach it. A search
# for reasons that resolves one level of the recursion after the other, each in a context of its
# own, does not come to an end here.

# EXPECT: fails
EF E [!b U EX a]
# EXPECT: holds
AG A [b R !EX a]
