void *curl_easy_init(void);
int curl_global_init(long flags);
static void *begin(void) { return curl_easy_init(); }
int main(void) {
  if (curl_global_init(3) != 0) return 1;
  return begin() == 0;
}
