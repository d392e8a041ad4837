// The program of which recursion.rsm is the model. Node x_L_n of the model
// stands for line L of this file.


class Recursion {

  public static void main(String[] arguments) {
    visit(4);
  }


  // Goes down to the left and to the right. The model does not know n, so it
  // allows for paths that never come to an end.
  static void visit(int n) {
    if (n > 0) {
      lock();
      visit(n - 1);
      unlock();
      visit(n - 2);
    }
  }


  static void lock() {
  }


  static void unlock() {
  }
}
