E p
