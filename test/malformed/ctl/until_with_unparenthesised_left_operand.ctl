E p & q U r
