(** Finite tables whose keys are positive numbers in binary: a tree with a branch for each digit,
    the last one first. *)

From Coq Require Import Bool PArith.

Inductive table (A : Type) : Type :=
| Empty
| Branch (zero : table A) (here : option A) (one : table A).
Arguments Empty {A}.
Arguments Branch {A} zero here one.

Fixpoint get {A} (k : positive) (t : table A) {struct t} : option A :=
  match t with
  | Empty => None
  | Branch zero here one =>
      match k with xH => here | xO k => get k zero | xI k => get k one end
  end.

Fixpoint put {A} (k : positive) (a : A) (t : table A) : table A :=
  let '(zero, here, one) :=
    match t with Empty => (Empty, None, Empty) | Branch z h o => (z, h, o) end in
  match k with
  | xH => Branch zero (Some a) one
  | xO k => Branch (put k a zero) here one
  | xI k => Branch zero here (put k a one)
  end.

(** Whether all entries pass a test. *)
Fixpoint every {A} (test : positive -> A -> bool) (t : table A) : bool :=
  match t with
  | Empty => true
  | Branch zero here one =>
      match here with Some a => test xH a | None => true end
      && every (fun k => test (xO k)) zero && every (fun k => test (xI k)) one
  end.

Definition set : Type := table unit.
Definition mem (k : positive) (s : set) : bool :=
  match get k s with Some _ => true | None => false end.

Lemma get_put_same A k (a : A) t : get k (put k a t) = Some a.
Proof. revert t; induction k; destruct t; simpl; auto. Qed.

Lemma get_put_other A k l (a : A) t : k <> l -> get k (put l a t) = get k t.
Proof.
  revert k t; induction l; destruct k, t; simpl; intros; try congruence;
    try (rewrite IHl by congruence); auto; now destruct k.
Qed.

Lemma every_get A test (t : table A) k a :
  every test t = true -> get k t = Some a -> test k a = true.
Proof.
  revert test k; induction t as [|zero IHzero here one IHone]; simpl; intros test k all found.
  - discriminate.
  - apply andb_prop in all as [all ones]. apply andb_prop in all as [ok zeros].
    destruct k.
    + exact (IHone _ _ ones found).
    + exact (IHzero _ _ zeros found).
    + now rewrite found in ok.
Qed.

Lemma every_mem test (s : set) k :
  every (fun k _ => test k) s = true -> mem k s = true -> test k = true.
Proof.
  unfold mem. intros all. destruct (get k s) eqn:found; try discriminate.
  intros _. exact (every_get _ _ _ _ _ all found).
Qed.

(** Whether some entry passes a test. *)
Definition any {A} (test : positive -> A -> bool) (t : table A) : bool :=
  negb (every (fun k a => negb (test k a)) t).

Lemma any_get A test (t : table A) :
  any test t = true -> exists k a, get k t = Some a /\ test k a = true.
Proof.
  unfold any. revert test; induction t as [|zero IHzero here one IHone]; simpl; intros test some.
  - discriminate.
  - rewrite !negb_andb, !orb_true_iff in some. destruct some as [[some|some]|some].
    + destruct here as [a|]; [|discriminate]. exists xH, a. now rewrite negb_involutive in some.
    + destruct (IHzero _ some) as (k & a & found). now exists (xO k), a.
    + destruct (IHone _ some) as (k & a & found). now exists (xI k), a.
Qed.
