AG fireable( )
