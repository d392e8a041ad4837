AG fireable(t) > 1
