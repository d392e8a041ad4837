AG ()
