p | & q
