// The only target that the program has need not be the only one there is.
struct Node {
  virtual int depth() = 0;
};
struct Outer : Node {
  Node *inner;
  int depth() override { return inner->depth() + 1; }
};
struct Stream {
  int (*read)(Stream *from);
  Stream *next;
};
static int forward(Stream *from) { return from->next->read(from->next); }
extern "C" Stream *make_stream(void);
int main(int, char **) {
  Outer outer;
  Stream stream;
  outer.inner = &outer;
  stream.read = forward;
  stream.next = make_stream();
  return outer.depth() + forward(&stream);
}
