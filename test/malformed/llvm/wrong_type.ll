define i32 @main() {
  ret i64 0
}
