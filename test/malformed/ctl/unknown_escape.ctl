AG "a\nb"
