(** The rules of docs/certificates.md as a function. It looks at each entry of the model and of the
    certificate once, and follows no path. *)

From Coq Require Import Bool List PArith.
From Nestor Require Import Table Statement.
Import ListNotations.

Definition is_some {A} (o : option A) : bool := match o with Some _ => true | None => false end.
Definition is_nil {A} (l : list A) : bool := match l with [] => true | _ => false end.

Definition is_plain (t : target) : bool := match t with Plain _ => true | Call _ _ => false end.

Definition same_target (s t : target) : bool :=
  match s, t with
  | Plain n, Plain n' => Pos.eqb n n'
  | Call b en, Call b' en' => Pos.eqb b b' && Pos.eqb en en'
  | _, _ => false
  end.

(** A point of an instance: a node, or where a path goes on after box [b] was left by [x]. *)
Inductive point := At (n : positive) | After (b x : positive).

Definition targets (c : component) (p : point) : list target :=
  match p with At n => next_of c n | After b x => after_of c b x end.

Definition at_point {A} (ps : table (points A)) (k : positive) (p : point) : option A :=
  match get k ps with
  | Some ps =>
      match p with
      | At n => get n (at_node _ ps)
      | After b x => match get b (at_return _ ps) with
                     | Some by_exit => get x by_exit
                     | None => None
                     end
      end
  | None => None
  end.

(** Whether a test holds of what is said of every point of each subformula. *)
Definition every_point {A} (test : positive -> point -> A -> bool) (ps : table (points A)) : bool :=
  every (fun k ps =>
           every (fun n => test k (At n)) (at_node _ ps)
           && every (fun b => every (fun x => test k (After b x))) (at_return _ ps)) ps.

Definition value (i : instance) (n k : positive) : bool :=
  match get n (values i) with Some s => mem k s | None => false end.

Definition in_context (i : instance) (x k : positive) : bool :=
  match get k (contexts i) with Some s => mem x s | None => false end.

(** A fact of a point; the target is an exit, or [None]: goal. *)
Definition fact_to (fs : facts) (t : option positive) : option fact :=
  match t with None => to_goal fs | Some x => get x (to_exit fs) end.
Definition fact_at (i : instance) (k : positive) (p : point) (t : option positive) : option fact :=
  match at_point (proofs i) k p with Some fs => fact_to fs t | None => None end.

(** Whether a point has a fact [p -> goal], or [p -> x] with [x] in the context. *)
Definition has_way (i : instance) (k : positive) (p : point) : bool :=
  match at_point (proofs i) k p with
  | Some fs => is_some (to_goal fs) || any (fun x _ => in_context i x k) (to_exit fs)
  | None => false
  end.

Section Check.
Variable m : model.
Variable cert : certificate.

(** * That the model says of everything it names what it is *)

Definition target_known (c : component) (t : target) : bool :=
  match t with
  | Plain n => is_some (get n (nodes c))
  | Call b en =>
      match get b (boxes c) with
      | Some bx => match get (callee bx) (components m) with
                   | Some d => is_some (get en (nodes d))
                   | None => false
                   end
      | None => false
      end
  end.

Definition component_known (c : component) : bool :=
  every (fun _ nd => forallb (target_known c) (next nd)) (nodes c)
  && every (fun _ bx => every (fun _ => forallb (target_known c)) (after bx)) (boxes c).

Definition model_known : bool :=
  every (fun _ => component_known) (components m)
  && match get (initial_component m) (components m) with
     | Some c => forallb (fun n => is_some (get n (nodes c))) (initial_nodes m)
     | None => false
     end.

(** Operands come before what they are operands of. *)
Definition line_known (k : positive) (l : line) : bool :=
  let earlier f := Pos.ltb f k && is_some (get f (lines cert)) in
  match l with
  | LAp _ | LTt => true
  | LNot f | LEX f | LEG f => earlier f
  | LOr f g | LAnd f g | LEU f g => earlier f && earlier g
  end.

(** * Values *)

Definition callee_of (i : instance) (b : positive) : option instance :=
  match get b (callees i) with Some j => get j (instances cert) | None => None end.

(** [v(I,t,k)]: the value of a successor [t] seen from instance [I]. *)
Definition seen (i : instance) (k : positive) (t : target) : bool :=
  match t with
  | Plain n => value i n k
  | Call b en => match callee_of i b with Some j => value j en k | None => false end
  end.

Section Instance.
Variable i : instance.
Variable c : component.

Definition some_next (n k : positive) (after : positive) (ts : list target) : bool :=
  existsb (seen i after) ts || (mem n (exits c) && in_context i n k).

(** Rules 1 and 4, and that rules 5 and 6 have what they ask for. *)
Definition node_right (n : positive) (nd : node) (k : positive) (l : line) : bool :=
  let v := value i n in
  match l with
  | LAp p => eqb (v k) (existsb (Pos.eqb p) (labels nd))
  | LTt => v k
  | LNot f => eqb (v k) (negb (v f))
  | LOr f g => eqb (v k) (v f || v g)
  | LAnd f g => eqb (v k) (v f && v g)
  | LEX f => eqb (v k) (some_next n k f (next nd))
  | LEU f g => eqb (v k) (v g || (v f && some_next n k k (next nd)))
               && (negb (v k) || has_way i k (At n))
  | LEG f => eqb (v k) (v f && (some_next n k k (next nd)
                                || (negb (mem n (exits c)) && is_nil (next nd))))
             && (v k || negb (v f) || is_some (at_point (deaths i) k (At n)))
  end.

(** Rule 3, and what rules 5 and 6 ask of the return point of box [b], whose callee is instance [j]
    of component [d], and of its exit [x]. *)
Definition context_right (b : positive) (j : instance) (d : component) (x k : positive) (l : line) :
  bool :=
  let ts := after_of c b x in
  let ret after := existsb (seen i after) ts in
  match l with
  | LEX f => eqb (in_context j x k) (ret f)
  | LEU _ _ => eqb (in_context j x k) (ret k)
               && (negb (in_context j x k && is_some (fact_at j k (At x) (Some x)))
                   || existsb (fun t => is_plain t && seen i k t) ts
                   || has_way i k (After b x))
  | LEG f => eqb (in_context j x k) (ret k || (is_nil ts && is_nil (next_of d x)))
             && (value j x k || negb (value j x f)
                 || negb (existsb (fun t => negb (is_plain t) && seen i f t) ts)
                 || is_some (at_point (deaths i) k (After b x)))
  | _ => true
  end.

Definition box_right (b : positive) (bx : box) : bool :=
  match callee_of i b, get (callee bx) (components m) with
  | Some j, Some d =>
      Pos.eqb (component_of j) (callee bx)
      && every (fun x _ => every (context_right b j d x) (lines cert)) (exits d)
  | _, _ => false
  end.

(** Rule 5, of the fact [p -> t] of [LEU f g], the subformula [k]. *)
Definition fact_right (k f g : positive) (p : point) (t : option positive) (fc : fact) : bool :=
  let smaller i p t := match fact_at i k p t with
                       | Some lower => Pos.ltb (rank lower) (rank fc)
                       | None => false
                       end in
  match chosen fc, p with
  | Here, At n => match t with
                  | None => value i n g
                  | Some x => Pos.eqb n x && mem n (exits c) && value i n f
                  end
  | Here, After _ _ => false
  | By s through, _ =>
      match p with At n => value i n f | After _ _ => true end
      && existsb (same_target s) (targets c p)
      && match s, through with
         | Plain n, None => smaller i (At n) t
         | Plain _, Some _ => false
         | Call b en, None =>
             match t, callee_of i b with
             | None, Some j => smaller j (At en) None
             | _, _ => false
             end
         | Call b en, Some y =>
             match callee_of i b with
             | Some j => smaller j (At en) (Some y) && smaller i (After b y) t
             | None => false
             end
         end
  end.

Definition facts_right (k : positive) (p : point) (fs : facts) : bool :=
  match get k (lines cert) with
  | Some (LEU f g) =>
      match to_goal fs with Some fc => fact_right k f g p None fc | None => true end
      && every (fun x => fact_right k f g p (Some x)) (to_exit fs)
  | _ => false
  end.

(** Rule 6, of a point [p] of [LEG f], the subformula [k]. *)
Definition dead_right (k : positive) (p : point) (dd : dead) : bool :=
  match get k (lines cert) with
  | Some (LEG f) =>
      let lower (e : dead) := Pos.ltb (height e) (height dd) in
      let leads p := match at_point (deaths i) k p with
                     | Some e => lower e && every (fun x _ => mem x (reach dd)) (reach e)
                     | None => false
                     end in
      match p with At n => negb (mem n (exits c)) || mem n (reach dd) | After _ _ => true end
      && forallb
           (fun t => negb (seen i f t)
              || match t with
                 | Plain n => leads (At n)
                 | Call b en =>
                     match callee_of i b with
                     | Some j =>
                         match at_point (deaths j) k (At en) with
                         | Some e => lower e && every (fun x _ => leads (After b x)) (reach e)
                         | None => false
                         end
                     | None => false
                     end
                 end)
           (targets c p)
  | _ => false
  end.

Definition instance_right : bool :=
  every (fun n nd => every (node_right n nd) (lines cert)) (nodes c)
  && every box_right (boxes c)
  && every_point facts_right (proofs i)
  && every_point dead_right (deaths i).

(** Rule 2, of the root. *)
Definition root_right (x k : positive) (l : line) : bool :=
  match l with
  | LEX f => eqb (in_context i x k) (value i x f)
  | LEU _ _ => negb (in_context i x k)
  | LEG _ => in_context i x k
  | _ => true
  end.

End Instance.

Definition instance_known (i : instance) : bool :=
  match get (component_of i) (components m) with Some c => instance_right i c | None => false end.

Definition is_holds (v : verdict) : bool := match v with holds => true | fails => false end.

(** Whether the certificate proves the verdict for its own last formula. *)
Definition check (v : verdict) : bool :=
  model_known
  && every line_known (lines cert) && is_some (get (last cert) (lines cert))
  && every (fun _ => instance_known) (instances cert)
  && match get xH (instances cert), get (initial_component m) (components m) with
     | Some root, Some c =>
         Pos.eqb (component_of root) (initial_component m)
         && every (fun x _ => every (root_right root x) (lines cert)) (exits c)
         && eqb (is_holds v) (forallb (fun n => value root n (last cert)) (initial_nodes m))
     | _, _ => false
     end.

(** Whether subformula [k] of the certificate is [f]. *)
Fixpoint is_formula (f : formula) (k : positive) : bool :=
  match f, get k (lines cert) with
  | Ap p, Some (LAp q) => Pos.eqb p q
  | Tt, Some LTt => true
  | Not f, Some (LNot a) => is_formula f a
  | Or f g, Some (LOr a b) => is_formula f a && is_formula g b
  | And f g, Some (LAnd a b) => is_formula f a && is_formula g b
  | EX f, Some (LEX a) => is_formula f a
  | EU f g, Some (LEU a b) => is_formula f a && is_formula g b
  | EG f, Some (LEG a) => is_formula f a
  | _, _ => false
  end.

End Check.

Definition accepts (m : model) (f : formula) (cert : certificate) (v : verdict) : bool :=
  is_formula cert f (last cert) && check m cert v.
