O [3] p
