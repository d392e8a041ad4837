p & [q]
