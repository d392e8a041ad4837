void *curl_easy_init(void);
int curl_global_init(long flags);
static void *begin(void) { return curl_easy_init(); }  /* warn */
int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) curl_global_init(3);
  return begin() == 0;
}
