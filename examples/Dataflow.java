// The program of which dataflow.rsm is the model. Node x_L_n of the model
// stands for line L of this file.


class Dataflow {

  static int i;


  public static void main(String[] arguments) {
    i = 3;
    a();
    b();
  }


  // Does nothing: its only node is entry and exit at once.
  static void a() {
  }


  static void b() {
    i = i * i;
  }
}
