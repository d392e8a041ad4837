E F G p
