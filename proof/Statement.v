(** What is proved, without the proofs: recursive state machines and what they do
    (docs/semantics.md), CTL, what a certificate contains (docs/certificates.md), and what it means
    that a checker of certificates is sound. Components, nodes, boxes, instances, subformulas and
    propositions are numbers; a [table A] maps numbers to [A], a [set] is a set of numbers. *)

From Coq Require Import List PArith.
From Nestor Require Import Table.
Import ListNotations.

(** * Recursive state machines *)

Inductive target := Plain (n : positive) | Call (b en : positive).

Record node := { labels : list positive;        (* the propositions that are true here *)
                 next : list target }.          (* where its transitions lead *)

Record box := { callee : positive;              (* a component *)
                after : table (list target) }.  (* by exit x of the callee: those of (b,x) *)

Record component := { nodes : table node; exits : set; boxes : table box }.

Record model := { components : table component;
                  initial_component : positive;
                  initial_nodes : list positive }.

Definition next_of (c : component) (n : positive) : list target :=
  match get n (nodes c) with Some nd => next nd | None => [] end.

Definition after_of (c : component) (b x : positive) : list target :=
  match get b (boxes c) with
  | Some bx => match get x (after bx) with Some ts => ts | None => [] end
  | None => []
  end.

(** A state is a stack of boxes, the top first, and a node. A call node is the entry it stands for,
    a return node is the exit: neither is a state of its own. *)
Definition stack := list positive.
Definition state := (stack * positive)%type.

Section Semantics.
Variable m : model.

(** The component that a stack leads to, from the initial one. *)
Fixpoint top (sigma : stack) : option component :=
  match sigma with
  | [] => get (initial_component m) (components m)
  | b :: sigma =>
      match top sigma with
      | Some c => match get b (boxes c) with
                  | Some bx => get (callee bx) (components m)
                  | None => None
                  end
      | None => None
      end
  end.

Definition arrive (sigma : stack) (t : target) : state :=
  match t with Plain n => (sigma, n) | Call b en => (b :: sigma, en) end.

Inductive step : state -> state -> Prop :=
| step_inside sigma c n t :         (* by a transition of the node, be it an exit or not *)
    top sigma = Some c -> In t (next_of c n) ->
    step (sigma, n) (arrive sigma t)
| step_back b sigma c d x t :       (* by a transition of the return node that an exit is *)
    top (b :: sigma) = Some d -> mem x (exits d) = true ->
    top sigma = Some c -> In t (after_of c b x) ->
    step (b :: sigma, x) (arrive sigma t)
| step_stay c x :                   (* an exit of the outermost procedure *)
    top [] = Some c -> mem x (exits c) = true ->
    step ([], x) ([], x).

Definition initial (s : state) : Prop := fst s = [] /\ In (snd s) (initial_nodes m).

(** * CTL, over paths that go on as long as they can *)

Inductive formula :=
| Ap (p : positive) | Tt | Not (f : formula) | Or (f g : formula) | And (f g : formula)
| EX (f : formula) | EU (f g : formula) | EG (f : formula).

Inductive until (P Q : state -> Prop) : state -> Prop :=
| until_now s : Q s -> until P Q s
| until_step s t : P s -> step s t -> until P Q t -> until P Q s.

CoInductive globally (P : state -> Prop) : state -> Prop :=
| globally_step s t : P s -> step s t -> globally P t -> globally P s
| globally_end s : P s -> (forall t, ~ step s t) -> globally P s.

Definition labelled (s : state) (p : positive) : Prop :=
  exists c nd, top (fst s) = Some c /\ get (snd s) (nodes c) = Some nd /\ In p (labels nd).

Fixpoint satisfies (s : state) (f : formula) : Prop :=
  match f with
  | Ap p => labelled s p
  | Tt => True
  | Not f => ~ satisfies s f
  | Or f g => satisfies s f \/ satisfies s g
  | And f g => satisfies s f /\ satisfies s g
  | EX f => exists t, step s t /\ satisfies t f
  | EU f g => until (fun t => satisfies t f) (fun t => satisfies t g) s
  | EG f => globally (fun t => satisfies t f) s
  end.

End Semantics.

(** * Certificates *)

(** A subformula: operands are the numbers of others. *)
Inductive line :=
| LAp (p : positive) | LTt | LNot (f : positive) | LOr (f g : positive) | LAnd (f g : positive)
| LEX (f : positive) | LEU (f g : positive) | LEG (f : positive).

(** Of a fact [p -> t]: it is true here, or goes on by a successor of [p], and if that is a call
    then perhaps through an exit of the callee. *)
Inductive choice := Here | By (t : target) (through : option positive).
Record fact := { rank : positive; chosen : choice }.
Record facts := { to_goal : option fact; to_exit : table fact }.   (* of one point, by t *)
Record dead := { height : positive; reach : set }.                 (* of EG *)

(** What is said of each node, and by box and exit of each return point. *)
Record points A := { at_node : table A; at_return : table (table A) }.

Record instance := { component_of : positive;         (* a component *)
                     callees : table positive;        (* by box: an instance *)
                     contexts : table set;            (* by subformula: exits *)
                     values : table set;              (* by node: subformulas with value 1 *)
                     proofs : table (points facts);   (* by subformula, for EU *)
                     deaths : table (points dead) }.  (* by subformula, for EG *)

Record certificate := { lines : table line; last : positive;
                        instances : table instance }.  (* number 1 is the root *)

(** * Soundness: whatever [accepts] does, what it accepts is true *)

Inductive verdict := holds | fails.

Definition sound_checker (accepts : model -> formula -> certificate -> verdict -> bool) : Prop :=
  forall model formula certificate verdict,
    accepts model formula certificate verdict = true ->
    (verdict = holds <-> forall s, initial model s -> satisfies model s formula).
