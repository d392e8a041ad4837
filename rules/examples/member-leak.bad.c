#include <stdlib.h>
#include <string.h>
struct person {
  char *name;
  char *street;
  int age;
};
struct person *make(const char *name, const char *street) {
  struct person *one = malloc(sizeof *one);
  if (one == NULL) return NULL;
  one->name = strdup(name);
  one->street = strdup(street);
  one->age = 0;
  return one;
}
void move(struct person *one, const char *street) {
  free(one->street);
  one->street = strdup(street);
}
void forget(struct person *one) {
  if (one->age > 100) one->age = 0;
  free(one->name);
  free(one); /* warn */
}
int main(int argc, char **argv) {
  struct person *one = make(argv[0], argv[argc - 1]);
  if (one == NULL) return 1;
  move(one, "here");
  forget(one);
  return 0;
}
