; What 'nestor lint' warns of, for test/schema
declare ptr @malloc(i64)
declare void @free(ptr)
define i32 @main() {
  %text = call ptr @malloc(i64 4)
  call void @free(ptr %text)
  call void @free(ptr %text)
  ret i32 0
}
