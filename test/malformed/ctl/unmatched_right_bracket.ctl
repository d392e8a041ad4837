p ]
