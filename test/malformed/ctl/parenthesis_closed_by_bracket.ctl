AG (p]
