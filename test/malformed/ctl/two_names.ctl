a := b := c
