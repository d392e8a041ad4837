AG 2*3 > tokens(p)
