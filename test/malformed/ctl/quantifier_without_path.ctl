E
