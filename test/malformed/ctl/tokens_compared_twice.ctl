AG 1 < tokens(p) < 3
