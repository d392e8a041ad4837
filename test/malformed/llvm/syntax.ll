define i32 @main() {
  retrun i32 0
}
