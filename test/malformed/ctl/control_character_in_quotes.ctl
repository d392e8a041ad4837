AG "ab"
