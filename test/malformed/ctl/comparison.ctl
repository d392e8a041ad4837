AG state = 3
