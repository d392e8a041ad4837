AG state = (3)
