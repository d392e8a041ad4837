(** Why what [check] accepts is true. The sections follow "Why they suffice" in
    docs/certificates.md. *)

From Coq Require Import Bool List PArith Arith Wf_nat.
From Nestor Require Import Table Statement Check.
Import ListNotations.

Ltac split_and :=
  repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H as [? ?] end.

Lemma is_some_true A (o : option A) : is_some o = true -> exists a, o = Some a.
Proof. destruct o; [eauto | discriminate]. Qed.

Lemma same_target_true s t : same_target s t = true -> s = t.
Proof.
  destruct s, t; simpl; try discriminate; intros; split_and;
    repeat match goal with H : Pos.eqb _ _ = true |- _ => apply Pos.eqb_eq in H end; congruence.
Qed.

Lemma every_point_at A test (ps : table (points A)) k p a :
  every_point test ps = true -> at_point ps k p = Some a -> test k p a = true.
Proof.
  unfold every_point, at_point. intros all. destruct (get k ps) eqn:of_k; [|discriminate].
  pose proof (every_get _ _ _ _ _ all of_k) as here. simpl in here. split_and.
  destruct p as [n|b x].
  - intros found. exact (every_get _ _ _ _ _ H found).
  - destruct (get b (at_return A p0)) eqn:of_b; [|discriminate]. intros found.
    exact (every_get _ _ _ _ _ (every_get _ _ _ _ _ H0 of_b) found).
Qed.

(** Ranks cannot decrease for ever. *)
Lemma smaller_wf : well_founded Pos.lt.
Proof.
  apply (well_founded_lt_compat _ Pos.to_nat). intros a b. apply Pos2Nat.inj_lt.
Qed.

Section Sound.
Variable m : model.
Variable cert : certificate.

(** * What a certificate that was accepted obeys *)

Hypothesis model_ok : model_known m = true.
Hypothesis instances_ok : every (fun _ => instance_known m cert) (instances cert) = true.
Variable root : instance.
Variable outermost : component.
Hypothesis root_there : get xH (instances cert) = Some root.
Hypothesis outermost_there : get (initial_component m) (components m) = Some outermost.
Hypothesis root_of : component_of root = initial_component m.
Hypothesis root_ok :
  every (fun x _ => every (root_right root x) (lines cert)) (exits outermost) = true.

(** [frame sigma i c]: the stack follows the box map from the root to instance [i] of [c]. *)
Inductive frame : stack -> instance -> component -> Prop :=
| frame_root : frame [] root outermost
| frame_call sigma i c b bx j d :
    frame sigma i c -> get b (boxes c) = Some bx -> callee_of cert i b = Some j ->
    get (callee bx) (components m) = Some d -> frame (b :: sigma) j d.

Lemma frame_top sigma i c : frame sigma i c -> top m sigma = Some c.
Proof.
  induction 1; simpl; auto. now rewrite IHframe, H0.
Qed.

Lemma instance_is_right j i c :
  get j (instances cert) = Some i -> get (component_of i) (components m) = Some c ->
  instance_right m cert i c = true.
Proof.
  intros there of_c. pose proof (every_get _ _ _ _ _ instances_ok there) as ok.
  unfold instance_known in ok. now rewrite of_c in ok.
Qed.

Lemma frame_right sigma i c :
  frame sigma i c -> instance_right m cert i c = true.
Proof.
  induction 1.
  - apply (instance_is_right _ _ _ root_there). now rewrite root_of.
  - unfold instance_right in IHframe. split_and.
    pose proof (every_get _ _ _ _ _ H6 H0) as ok. unfold box_right in ok.
    rewrite H1, H2 in ok. split_and. apply Pos.eqb_eq in H7.
    unfold callee_of in H1. destruct (get b (callees i)); [|discriminate].
    apply (instance_is_right _ _ _ H1). now rewrite H7.
Qed.

Lemma frame_known sigma i c : frame sigma i c -> component_known m c = true.
Proof.
  unfold model_known in model_ok. split_and.
  destruct 1.
  - exact (every_get _ _ _ _ _ H outermost_there).
  - exact (every_get _ _ _ _ _ H H4).
Qed.

Lemma target_is_known sigma i c p t :
  frame sigma i c -> In t (targets c p) -> target_known m c t = true.
Proof.
  intros fr into. pose proof (frame_known _ _ _ fr) as ok. unfold component_known in ok. split_and.
  destruct p as [n|b x]; simpl in into.
  - unfold next_of in into. destruct (get n (nodes c)) eqn:there; [|easy].
    pose proof (every_get _ _ _ _ _ H there) as all. simpl in all.
    rewrite forallb_forall in all. auto.
  - unfold after_of in into. destruct (get b (boxes c)) eqn:there; [|easy].
    destruct (get x (after b0)) eqn:back; [|easy].
    pose proof (every_get _ _ _ _ _ (every_get _ _ _ _ _ H0 there) back) as all. simpl in all.
    rewrite forallb_forall in all. auto.
Qed.

(** A call leads into a frame. *)
Lemma frame_into sigma i c p b en :
  frame sigma i c -> In (Call b en) (targets c p) ->
  exists j d nd, callee_of cert i b = Some j /\ frame (b :: sigma) j d /\
                 get en (nodes d) = Some nd.
Proof.
  intros fr into. pose proof (target_is_known _ _ _ _ _ fr into) as known. simpl in known.
  pose proof (frame_right _ _ _ fr) as ok. unfold instance_right in ok. split_and.
  destruct (get b (boxes c)) as [bx|] eqn:there; [|discriminate].
  destruct (get (callee bx) (components m)) as [d|] eqn:callee_there; [|discriminate].
  pose proof (every_get _ _ _ _ _ H2 there) as box_ok. unfold box_right in box_ok.
  rewrite callee_there in box_ok.
  destruct (callee_of cert i b) as [j|] eqn:calls; [|discriminate].
  apply is_some_true in known as [nd known].
  exists j, d, nd. repeat split; auto. econstructor; eauto.
Qed.

(** The value of a state for subformula [k] is [v]. *)
Inductive has (k : positive) (v : bool) : state -> Prop :=
| has_intro sigma i c n nd :
    frame sigma i c -> get n (nodes c) = Some nd -> value i n k = v -> has k v (sigma, n).

Lemma has_target sigma i c p t k v :
  frame sigma i c -> In t (targets c p) -> seen cert i k t = v -> has k v (arrive sigma t).
Proof.
  intros fr into val. destruct t as [n|b en].
  - pose proof (target_is_known _ _ _ _ _ fr into) as known. simpl in known.
    apply is_some_true in known as [nd known]. now apply (has_intro _ _ _ i c _ nd).
  - destruct (frame_into _ _ _ _ _ _ fr into) as (j & d & nd & calls & inner & known).
    simpl in val. rewrite calls in val. now apply (has_intro _ _ _ j d _ nd).
Qed.

(** The rules, for whoever stands in a frame. *)
Lemma node_rule sigma i c n nd k l :
  frame sigma i c -> get n (nodes c) = Some nd -> get k (lines cert) = Some l ->
  node_right cert i c n nd k l = true.
Proof.
  intros fr there line. pose proof (frame_right _ _ _ fr) as ok. unfold instance_right in ok.
  split_and. exact (every_get _ _ _ _ _ (every_get _ _ _ _ _ H there) line).
Qed.

Lemma context_rule sigma i c b bx j d x k l :
  frame sigma i c -> get b (boxes c) = Some bx -> callee_of cert i b = Some j ->
  get (callee bx) (components m) = Some d -> mem x (exits d) = true ->
  get k (lines cert) = Some l -> context_right cert i c b j d x k l = true.
Proof.
  intros fr there calls callee_there exit line.
  pose proof (frame_right _ _ _ fr) as ok. unfold instance_right in ok. split_and.
  pose proof (every_get _ _ _ _ _ H2 there) as box_ok. unfold box_right in box_ok.
  rewrite callee_there, calls in box_ok. split_and.
  unfold mem in exit. destruct (get x (exits d)) eqn:is_exit; [|discriminate].
  exact (every_get _ _ _ _ _ (every_get _ _ _ _ _ H4 is_exit) line).
Qed.

Lemma root_rule x k l :
  mem x (exits outermost) = true -> get k (lines cert) = Some l -> root_right root x k l = true.
Proof.
  intros exit line. unfold mem in exit.
  destruct (get x (exits outermost)) eqn:is_exit; [|discriminate].
  exact (every_get _ _ _ _ _ (every_get _ _ _ _ _ root_ok is_exit) line).
Qed.

Lemma fact_rule sigma i c k f g p t fc :
  frame sigma i c -> get k (lines cert) = Some (LEU f g) -> fact_at i k p t = Some fc ->
  fact_right cert i c k f g p t fc = true.
Proof.
  intros fr line there. pose proof (frame_right _ _ _ fr) as ok. unfold instance_right in ok.
  split_and. unfold fact_at in there. destruct (at_point (proofs i) k p) eqn:said; [|discriminate].
  pose proof (every_point_at _ _ _ _ _ _ H1 said) as right. unfold facts_right in right.
  rewrite line in right. split_and. destruct t as [x|]; simpl in there.
  - exact (every_get _ _ _ _ _ H4 there).
  - now rewrite there in H3.
Qed.

Lemma dead_rule sigma i c k p dd :
  frame sigma i c -> at_point (deaths i) k p = Some dd -> dead_right cert i c k p dd = true.
Proof.
  intros fr there. pose proof (frame_right _ _ _ fr) as ok. unfold instance_right in ok.
  split_and. exact (every_point_at _ _ _ _ _ _ H0 there).
Qed.

(** * Steps *)

(** The steps of an exit that its own transitions do not give. *)
Definition back (sigma : stack) (x : positive) (s : state) : Prop :=
  match sigma with
  | [] => s = ([], x)
  | b :: sigma => exists c t, top m sigma = Some c /\ In t (after_of c b x) /\ s = arrive sigma t
  end.

Lemma step_cases sigma i c n s :
  frame sigma i c -> step m (sigma, n) s ->
  (exists t, In t (next_of c n) /\ s = arrive sigma t)
  \/ (mem n (exits c) = true /\ back sigma n s).
Proof.
  intros fr st. apply frame_top in fr. inversion st; subst.
  - rewrite fr in H1. injection H1 as <-. left. eauto.
  - rewrite fr in H1. injection H1 as <-. right. simpl. eauto 7.
  - rewrite fr in H1. injection H1 as <-. right. split; [assumption | reflexivity].
Qed.

Lemma step_next sigma i c n t :
  frame sigma i c -> In t (next_of c n) -> step m (sigma, n) (arrive sigma t).
Proof. intros fr into. econstructor; eauto using frame_top. Qed.

Lemma step_after sigma i c b j d x t :
  frame sigma i c -> frame (b :: sigma) j d -> mem x (exits d) = true -> In t (after_of c b x) ->
  step m (b :: sigma, x) (arrive sigma t).
Proof. intros fr inner exit into. eapply step_back; eauto using frame_top. Qed.

Lemma step_root x : mem x (exits outermost) = true -> step m ([], x) ([], x).
Proof. intros. eapply step_stay; eauto. Qed.

Lemma next_of_there c n nd : get n (nodes c) = Some nd -> next_of c n = next nd.
Proof. unfold next_of. now intros ->. Qed.

Lemma not_nil A (l : list A) : is_nil l = false -> exists a, In a l.
Proof. destruct l; simpl; [discriminate | eauto]. Qed.

Lemma existsb_false A (test : A -> bool) l a : existsb test l = false -> In a l -> test a = false.
Proof.
  intros none into. destruct (test a) eqn:passes; auto.
  assert (existsb test l = true) by (apply existsb_exists; eauto). congruence.
Qed.

(** An exit goes back to a frame of the caller. *)
Lemma back_to_caller b sigma j d :
  frame (b :: sigma) j d ->
  exists i c bx, frame sigma i c /\ get b (boxes c) = Some bx /\ callee_of cert i b = Some j /\
    get (callee bx) (components m) = Some d /\
    forall x s, back (b :: sigma) x s -> exists t, In t (after_of c b x) /\ s = arrive sigma t.
Proof.
  inversion 1; subst. exists i, c, bx. repeat split; auto.
  simpl. intros x s (c' & t & is_top & into & ->). rewrite (frame_top _ _ _ H2) in is_top.
  injection is_top as <-. eauto.
Qed.

(** * What values say of the next states, by rules 2, 3 and 4 *)

Definition existential (l : line) : Prop :=
  match l with LEX _ | LEU _ _ | LEG _ => True | _ => False end.
(** What the subformula [k] asks of the next states. *)
Definition looks (l : line) (k : positive) : positive := match l with LEX f => f | _ => k end.
Definition is_EG (l : line) : Prop := match l with LEG _ => True | _ => False end.

Lemma next_false sigma i c n nd k l s :
  frame sigma i c -> get n (nodes c) = Some nd -> get k (lines cert) = Some l -> existential l ->
  value i n k = false -> some_next cert i c n k (looks l k) (next nd) = false ->
  step m (sigma, n) s -> has (looks l k) false s.
Proof.
  intros fr there line ex val none st. apply orb_false_iff in none as [none outside].
  destruct (step_cases _ _ _ _ _ fr st) as [(t & into & ->)|[exit bk]].
  - apply (has_target _ _ _ (At n) _ _ _ fr into). rewrite (next_of_there _ _ _ there) in into.
    eapply existsb_false; eauto.
  - rewrite exit in outside. simpl in outside. destruct sigma as [|b sigma].
    + inversion fr; subst. rewrite bk. econstructor; eauto.
      pose proof (root_rule _ _ _ exit line) as rule.
      destruct l; simpl in *; try easy; rewrite outside in rule; try discriminate.
      now apply eqb_prop in rule.
    + destruct (back_to_caller _ _ _ _ fr)
        as (i' & c' & bx & fr' & box & calls & callee_there & all).
      destruct (all _ _ bk) as (t & into & ->).
      pose proof (context_rule _ _ _ _ _ _ _ _ _ _ fr' box calls callee_there exit line) as rule.
      apply (has_target _ _ _ (After b n) _ _ _ fr' into).
      destruct l; simpl in *; try easy; rewrite outside in rule; split_and.
      * apply eqb_prop in rule. eapply existsb_false; eauto.
      * apply eqb_prop in H. eapply existsb_false; eauto.
      * apply eqb_prop in H. symmetry in H. apply orb_false_iff in H as [H _].
        eapply existsb_false; eauto.
Qed.

Lemma no_targets_no_step b sigma i c j d bx x :
  frame sigma i c -> get b (boxes c) = Some bx -> frame (b :: sigma) j d ->
  after_of c b x = [] -> next_of d x = [] -> forall s, ~ step m (b :: sigma, x) s.
Proof.
  intros fr box inner no_after no_next s st.
  destruct (step_cases _ _ _ _ _ inner st) as [(t & into & _)|[_ bk]].
  - now rewrite no_next in into.
  - destruct bk as (c' & t & is_top & into & _). rewrite (frame_top _ _ _ fr) in is_top.
    injection is_top as <-. now rewrite no_after in into.
Qed.

Lemma next_true sigma i c n nd k l :
  frame sigma i c -> get n (nodes c) = Some nd -> get k (lines cert) = Some l -> existential l ->
  value i n k = true -> some_next cert i c n k (looks l k) (next nd) = true ->
  (exists s, step m (sigma, n) s /\ has (looks l k) true s)
  \/ (is_EG l /\ forall s, ~ step m (sigma, n) s).
Proof.
  intros fr there line ex val some. apply orb_true_iff in some as [some|inside].
  - left. apply existsb_exists in some as (t & into & good).
    rewrite <- (next_of_there _ _ _ there) in into. exists (arrive sigma t).
    split; [eapply step_next | eapply (has_target _ _ _ (At n))]; eauto.
  - apply andb_prop in inside as [exit inside]. destruct sigma as [|b sigma].
    + left. inversion fr; subst. exists ([], n). split; [now apply step_root|].
      econstructor; eauto. pose proof (root_rule _ _ _ exit line) as rule.
      destruct l; simpl in *; try easy; rewrite inside in rule; try discriminate.
      now apply eqb_prop in rule.
    + destruct (back_to_caller _ _ _ _ fr) as (i' & c' & bx & fr' & box & calls & callee_there & _).
      pose proof (context_rule _ _ _ _ _ _ _ _ _ _ fr' box calls callee_there exit line) as rule.
      assert (existsb (seen cert i' (looks l k)) (after_of c' b n) = true
              \/ (is_EG l /\ after_of c' b n = [] /\ next_of c n = [])) as found.
      { destruct l; simpl in *; try easy; rewrite inside in rule; split_and.
        - left. now apply eqb_prop in rule.
        - left. now apply eqb_prop in H.
        - apply eqb_prop in H. symmetry in H. apply orb_true_iff in H as [H|H]; [now left|].
          right. split_and. destruct (after_of c' b n), (next_of c n); easy. }
      destruct found as [some|(eg & no_after & no_next)].
      * left. apply existsb_exists in some as (t & into & good). exists (arrive sigma t).
        split; [eapply step_after | eapply (has_target _ _ _ (After b n))]; eauto.
      * right. split; auto. eapply no_targets_no_step; eauto.
Qed.

(** * Each operator, given that its operands have right values *)

Definition right (k : positive) (f : formula) : Prop :=
  forall s, (has k true s -> satisfies m s f) /\ (has k false s -> ~ satisfies m s f).

Lemma right_EX k a f :
  get k (lines cert) = Some (LEX a) -> right a f -> right k (EX f).
Proof.
  intros line sub s. split; intros [sigma i c n nd fr there val];
    pose proof (node_rule _ _ _ _ _ _ _ fr there line) as rule; simpl in rule;
    apply eqb_prop in rule; rewrite val in rule; symmetry in rule.
  - destruct (next_true _ _ _ _ _ _ _ fr there line I val rule) as [(t & st & good)|[[] _]].
    exists t. split; auto. now apply sub.
  - intros (t & st & good). apply (sub t); auto.
    exact (next_false _ _ _ _ _ _ _ _ fr there line I val rule st).
Qed.

(** ** [EU] *)

Section Until.
Variables (k a b : positive) (f g : formula).
Hypothesis line : get k (lines cert) = Some (LEU a b).
Hypothesis right_a : right a f.
Hypothesis right_b : right b g.
Let P s := satisfies m s f.
Let Q s := satisfies m s g.

(** A path along [P], its end included. *)
Inductive leads : state -> state -> Prop :=
| leads_here s : P s -> leads s s
| leads_step s t u : P s -> step m s t -> leads t u -> leads s u.

Lemma leads_until s t u : leads s t -> step m t u -> until m P Q u -> until m P Q s.
Proof. induction 1; intros; eapply until_step; eauto. Qed.

Lemma leads_leads s t u v : leads s t -> step m t u -> leads u v -> leads s v.
Proof. induction 1; intros; eapply leads_step; eauto. Qed.

(** What a fact with target [t] says of a state. *)
Definition told (sigma : stack) (i : instance) (c : component) (t : option positive) (s : state) :=
  match t with
  | None => until m P Q s
  | Some x => mem x (exits c) = true /\ is_some (fact_at i k (At x) (Some x)) = true /\
              leads s (sigma, x)
  end.

Lemma told_step sigma i c t s u : P s -> step m s u -> told sigma i c t u -> told sigma i c t s.
Proof.
  destruct t; simpl; intros; [|eapply until_step; eauto].
  intuition. eapply leads_step; eauto.
Qed.

Lemma told_leads sigma i c t s u w :
  leads s u -> step m u w -> told sigma i c t w -> told sigma i c t s.
Proof.
  destruct t; simpl; intros; [|eapply leads_until; eauto].
  intuition. eapply leads_leads; eauto.
Qed.

(** By induction on the rank: the path that a fact tells of exists. *)
Lemma fact_true r :
  forall sigma i c p t fc, frame sigma i c -> fact_at i k p t = Some fc -> rank fc = r ->
  match p with
  | At n => (exists nd, get n (nodes c) = Some nd) -> told sigma i c t (sigma, n)
  | After b x => exists u, In u (after_of c b x) /\ told sigma i c t (arrive sigma u)
  end.
Proof.
  induction r as [r IH] using (well_founded_induction smaller_wf).
  intros sigma i c p t fc fr said of_r.
  pose proof (fact_rule _ _ _ _ _ _ _ _ _ fr line said) as rule. unfold fact_right in rule.
  destruct (chosen fc) as [|s through].
  - destruct p as [n|]; [|discriminate]. intros [nd there]. destruct t as [x|].
    + split_and. apply Pos.eqb_eq in H. subst x. simpl. rewrite said.
      repeat split; auto. apply leads_here. apply right_a. now apply (has_intro _ _ _ i c _ nd).
    + simpl. apply until_now. apply right_b. now apply (has_intro _ _ _ i c _ nd).
  - apply andb_prop in rule as [rule goes_on]. apply andb_prop in rule as [phi is_next].
    apply existsb_exists in is_next as (s' & into & is_s). apply same_target_true in is_s. subst s'.
    assert (told sigma i c t (arrive sigma s)) as further.
    { rewrite of_r in goes_on. destruct s as [n|bb en].
      - destruct through; [discriminate|].
        destruct (fact_at i k (At n) t) as [lower|] eqn:found; [|discriminate].
        apply Pos.ltb_lt in goes_on. apply (IH _ goes_on _ _ _ _ _ _ fr found eq_refl).
        pose proof (target_is_known _ _ _ _ _ fr into) as known. now apply is_some_true.
      - destruct (frame_into _ _ _ _ _ _ fr into) as (j & d & nd & calls & inner & known).
        rewrite calls in goes_on. destruct through as [y|].
        + split_and.
          destruct (fact_at j k (At en) (Some y)) as [lower|] eqn:found; [|discriminate].
          destruct (fact_at i k (After bb y) t) as [lower'|] eqn:found'; [|discriminate].
          apply Pos.ltb_lt in H, H0.
          destruct (IH _ H _ _ _ _ _ _ inner found eq_refl) as (exit & _ & path); eauto.
          destruct (IH _ H0 _ _ _ _ _ _ fr found' eq_refl) as (u & into' & rest).
          eapply told_leads; eauto. eapply step_after; eauto.
        + destruct t; [discriminate|].
          destruct (fact_at j k (At en) None) as [lower|] eqn:found; [|discriminate].
          apply Pos.ltb_lt in goes_on.
          apply (IH _ goes_on _ _ _ _ _ _ inner found eq_refl). eauto. }
    destruct p as [n|bb x].
    + intros [nd there]. eapply told_step; eauto.
      * apply right_a. now apply (has_intro _ _ _ i c _ nd).
      * eapply step_next; eauto.
    + eauto.
Qed.

(** A way: the goal is reached, or an exit in the context. *)
Lemma way_told sigma i c p :
  frame sigma i c -> has_way i k p = true ->
  exists t, match t with None => True | Some x => in_context i x k = true end /\
  match p with
  | At n => (exists nd, get n (nodes c) = Some nd) -> told sigma i c t (sigma, n)
  | After b x => exists u, In u (after_of c b x) /\ told sigma i c t (arrive sigma u)
  end.
Proof.
  intros fr way. unfold has_way in way.
  destruct (at_point (proofs i) k p) as [fs|] eqn:said; [|discriminate].
  apply orb_true_iff in way as [goal|exit].
  - apply is_some_true in goal as [fc goal]. exists None. split; auto.
    assert (fact_at i k p None = Some fc) as found by (unfold fact_at; now rewrite said).
    exact (fact_true _ _ _ _ _ _ _ fr found eq_refl).
  - apply any_get in exit as (x & fc & there & inside). exists (Some x). split; auto.
    assert (fact_at i k p (Some x) = Some fc) as found by (unfold fact_at; now rewrite said).
    exact (fact_true _ _ _ _ _ _ _ fr found eq_refl).
Qed.

(** What is to be shown of a frame: who leaves it by an exit in the context gets to the goal. *)
Definition arrives (sigma : stack) (i : instance) (c : component) : Prop :=
  forall x, mem x (exits c) = true -> in_context i x k = true ->
  is_some (fact_at i k (At x) (Some x)) = true ->
  exists s, step m (sigma, x) s /\ until m P Q s.

Lemma arrives_node sigma i c n nd :
  frame sigma i c -> arrives sigma i c -> get n (nodes c) = Some nd -> value i n k = true ->
  until m P Q (sigma, n).
Proof.
  intros fr arr there val. pose proof (node_rule _ _ _ _ _ _ _ fr there line) as rule.
  simpl in rule. rewrite val in rule. split_and.
  destruct (way_told _ _ _ _ fr H0) as (t & good & path).
  specialize (path (ex_intro _ nd there)). destruct t as [x|]; simpl in path; auto.
  destruct path as (exit & used & path).
  destruct (arr x exit good used) as (s & st & un). eapply leads_until; eauto.
Qed.

(** By induction on the height of the stack. *)
Lemma frame_arrives sigma i c : frame sigma i c -> arrives sigma i c.
Proof.
  induction 1 as [|sigma i c bb bx j d fr IH box calls callee_there]; intros x exit inside used.
  - pose proof (root_rule _ _ _ exit line) as rule. simpl in rule. now rewrite inside in rule.
  - pose proof (context_rule _ _ _ _ _ _ _ _ _ _ fr box calls callee_there exit line) as rule.
    simpl in rule. rewrite inside, used in rule. split_and.
    assert (frame (bb :: sigma) j d) as inner by (econstructor; eauto).
    apply orb_true_iff in H0 as [plain|way].
    + apply existsb_exists in plain as (t & into & good). split_and.
      destruct t as [n|]; [|discriminate].
      exists (sigma, n). split; [exact (step_after _ _ _ _ _ _ _ _ fr inner exit into)|].
      pose proof (target_is_known _ _ _ (After bb x) _ fr into) as known. simpl in known.
      apply is_some_true in known as [nd there]. exact (arrives_node _ _ _ _ _ fr IH there H1).
    + destruct (way_told _ _ _ _ fr way) as (t & good & u & into & path).
      exists (arrive sigma u). split; [eapply step_after; eauto|].
      destruct t as [y|]; simpl in path; auto. destruct path as (exit' & used' & path).
      destruct (IH y exit' good used') as (s & st & un). eapply leads_until; eauto.
Qed.

Lemma until_true s : has k true s -> until m P Q s.
Proof. intros [sigma i c n nd fr there val]. eauto using arrives_node, frame_arrives. Qed.

Lemma until_false s : until m P Q s -> ~ has k false s.
Proof.
  induction 1 as [s reached|s t along st un IH]; intros no;
    inversion no as [sigma i c n nd fr there val]; subst s;
    pose proof (node_rule _ _ _ _ _ _ _ fr there line) as rule; simpl in rule; rewrite val in rule;
    split_and; apply eqb_prop in H; symmetry in H; apply orb_false_iff in H as [no_b H].
  - apply (right_b (sigma, n)); [now apply (has_intro _ _ _ i c _ nd) | exact reached].
  - apply andb_false_iff in H as [no_a|none].
    + apply (right_a (sigma, n)); [now apply (has_intro _ _ _ i c _ nd) | exact along].
    + apply IH. exact (next_false _ _ _ _ _ _ _ _ fr there line I val none st).
Qed.

Lemma right_EU : right k (EU f g).
Proof.
  intros s. split; [apply until_true|]. intros no un. exact (until_false _ un no).
Qed.

End Until.

(** ** [EG] *)

Section Globally.
Variables (k a : positive) (f : formula).
Hypothesis line : get k (lines cert) = Some (LEG a).
Hypothesis right_a : right a f.
Let P s := satisfies m s f.

Lemma globally_true : forall s, has k true s -> globally m P s.
Proof.
  cofix again. intros s [sigma i c n nd fr there val].
  pose proof (node_rule _ _ _ _ _ _ _ fr there line) as rule. simpl in rule. rewrite val in rule.
  split_and. apply eqb_prop in H. symmetry in H. apply andb_prop in H as [yes_a rest].
  assert (P (sigma, n)) as now.
  { apply right_a. now apply (has_intro _ _ _ i c _ nd). }
  apply orb_true_iff in rest as [some|ends].
  - destruct (next_true _ _ _ _ _ _ _ fr there line I val some) as [(t & st & good)|[_ none]].
    + exact (globally_step _ _ _ t now st (again t good)).
    + exact (globally_end _ _ _ now none).
  - apply (globally_end _ _ _ now). intros t st.
    apply andb_prop in ends as [no_exit no_next]. apply negb_true_iff in no_exit.
    destruct (step_cases _ _ _ _ _ fr st) as [(u & into & _)|[exit _]]; [|congruence].
    rewrite (next_of_there _ _ _ there) in into. now destruct (next nd).
Qed.

Lemma globally_now s : globally m P s -> P s.
Proof. now destruct 1. Qed.

Lemma globally_seen sigma i c p t :
  frame sigma i c -> In t (targets c p) -> globally m P (arrive sigma t) -> seen cert i a t = true.
Proof.
  intros fr into glob. destruct (seen cert i a t) eqn:no_a; auto.
  exfalso. apply (right_a (arrive sigma t)); [eapply has_target; eauto | now apply globally_now].
Qed.

(** A path along [P] goes on from an exit outside of the frame, or ends at it. *)
Definition leaves (sigma : stack) (x : positive) : Prop :=
  (exists s, back sigma x s /\ globally m P s) \/ (forall s, ~ step m (sigma, x) s).

(** The exit is of the kind that dead paths leave by. *)
Definition lost (sigma : stack) (i : instance) (c : component) (x : positive) : Prop :=
  mem x (exits c) = true /\ (exists nd, get x (nodes c) = Some nd) /\
  value i x k = false /\ value i x a = true /\ leaves sigma x.

Lemma lost_context sigma i c x : frame sigma i c -> lost sigma i c x -> in_context i x k = false.
Proof.
  intros fr (exit & (nd & there) & val & yes_a & _).
  pose proof (node_rule _ _ _ _ _ _ _ fr there line) as rule. simpl in rule.
  rewrite val, yes_a in rule. split_and. apply eqb_prop in H. simpl in H. symmetry in H.
  apply orb_false_iff in H as [H _]. apply orb_false_iff in H as [_ H]. now rewrite exit in H.
Qed.

(** Who is lost goes on with value 0 in the caller's frame. *)
Lemma lost_goes_on sigma i c b bx j d x :
  frame sigma i c -> get b (boxes c) = Some bx -> callee_of cert i b = Some j ->
  get (callee bx) (components m) = Some d -> lost (b :: sigma) j d x ->
  exists t, In t (after_of c b x) /\ seen cert i k t = false /\ globally m P (arrive sigma t) /\
  (is_plain t = true \/ is_some (at_point (deaths i) k (After b x)) = true).
Proof.
  intros fr box calls callee_there is_lost.
  assert (frame (b :: sigma) j d) as inner by (econstructor; eauto).
  pose proof (lost_context _ _ _ _ inner is_lost) as outside.
  destruct is_lost as (exit & (nd & there) & val & yes_a & leave).
  pose proof (context_rule _ _ _ _ _ _ _ _ _ _ fr box calls callee_there exit line) as rule.
  simpl in rule. rewrite outside, val, yes_a in rule. split_and.
  apply eqb_prop in H. symmetry in H. apply orb_false_iff in H as [none some].
  destruct leave as [(s & bk & glob)|stuck].
  - destruct bk as (c' & t & is_top & into & ->). rewrite (frame_top _ _ _ fr) in is_top.
    injection is_top as <-. exists t. repeat split; auto; [eapply existsb_false; eauto|].
    apply orb_true_iff in H0 as [no_call|said]; auto. apply negb_true_iff in no_call.
    pose proof (existsb_false _ _ _ _ no_call into) as this. simpl in this.
    rewrite (globally_seen _ _ _ (After b x) _ fr into glob), andb_true_r in this.
    left. now apply negb_false_iff.
  - exfalso. apply andb_false_iff in some as [some|some]; apply not_nil in some as [t into].
    + eapply stuck. eapply step_after; eauto.
    + eapply stuck. eapply step_next; eauto.
Qed.

(** By induction on the rank: a path along [P] leaves the frame by an exit in [reach]. *)
Lemma dead_leaves r :
  forall sigma i c p dd, frame sigma i c -> at_point (deaths i) k p = Some dd -> height dd = r ->
  match p with
  | At n => (exists nd, get n (nodes c) = Some nd) -> value i n k = false ->
            globally m P (sigma, n) -> exists x, mem x (reach dd) = true /\ lost sigma i c x
  | After b x => forall t, In t (after_of c b x) -> seen cert i k t = false ->
                 globally m P (arrive sigma t) ->
                 exists x, mem x (reach dd) = true /\ lost sigma i c x
  end.
Proof.
  induction r as [r IH] using (well_founded_induction smaller_wf).
  intros sigma i c p dd fr said of_r.
  pose proof (dead_rule _ _ _ _ _ _ fr said) as rule. unfold dead_right in rule.
  rewrite line in rule. apply andb_prop in rule as [own rule]. rewrite forallb_forall in rule.
  assert (forall t, In t (targets c p) -> seen cert i k t = false ->
          globally m P (arrive sigma t) ->
          exists x, mem x (reach dd) = true /\ lost sigma i c x) as successor.
  { intros t into val glob. specialize (rule t into).
    pose proof (globally_seen _ _ _ _ _ fr into glob) as yes_a. rewrite yes_a in rule.
    simpl in rule. rewrite of_r in rule. destruct t as [n|b en].
    - destruct (at_point (deaths i) k (At n)) as [e|] eqn:said'; [|discriminate]. split_and.
      apply Pos.ltb_lt in H.
      pose proof (target_is_known _ _ _ _ _ fr into) as known. simpl in known.
      apply is_some_true in known.
      destruct (IH _ H _ _ _ _ _ fr said' eq_refl known val glob) as (x & reached & is_lost).
      exists x. split; auto. exact (every_mem (fun x => mem x (reach dd)) _ _ H0 reached).
    - destruct (frame_into _ _ _ _ _ _ fr into) as (j & d & nd & calls & inner & known).
      simpl in val, yes_a. rewrite calls in rule, val, yes_a.
      destruct (at_point (deaths j) k (At en)) as [e|] eqn:said'; [|discriminate]. split_and.
      apply Pos.ltb_lt in H.
      destruct (IH _ H _ _ _ _ _ inner said' eq_refl (ex_intro _ nd known) val glob)
        as (x & reached & is_lost).
      pose proof (every_mem _ _ _ H0 reached) as next_point. simpl in next_point.
      destruct (at_point (deaths i) k (After b x)) as [e'|] eqn:said''; [|discriminate]. split_and.
      apply Pos.ltb_lt in H1.
      destruct (back_to_caller _ _ _ _ inner) as (i' & c' & bx & fr' & box & calls' & there & _).
      assert (c' = c) as -> by (apply frame_top in fr, fr'; congruence).
      destruct (lost_goes_on _ _ _ _ _ _ _ _ fr box calls there is_lost)
        as (u & into' & val' & glob' & _).
      destruct (IH _ H1 _ _ _ _ _ fr said'' eq_refl u into' val' glob') as (y & reached' & lost').
      exists y. split; auto. exact (every_mem (fun x => mem x (reach dd)) _ _ H2 reached'). }
  destruct p as [n|b x]; simpl in successor; auto.
  intros [nd there] val glob.
  assert (value i n a = true) as yes_a.
  { destruct (value i n a) eqn:no_a; auto. exfalso. apply (right_a (sigma, n)).
    - now apply (has_intro _ _ _ i c _ nd).
    - now apply globally_now. }
  assert (mem n (exits c) = true -> leaves sigma n ->
          exists x, mem x (reach dd) = true /\ lost sigma i c x) as itself.
  { intros exit leave. exists n. rewrite exit in own. repeat split; eauto. }
  inversion glob as [s t now st glob' |s now stuck]; subst.
  - destruct (step_cases _ _ _ _ _ fr st) as [(u & into & ->)|[exit bk]].
    + apply (successor u into); auto.
      pose proof (node_rule _ _ _ _ _ _ _ fr there line) as eqn4. simpl in eqn4.
      rewrite val, yes_a in eqn4. split_and. apply eqb_prop in H. simpl in H. symmetry in H.
      apply orb_false_iff in H as [H _]. apply orb_false_iff in H as [H _].
      rewrite (next_of_there _ _ _ there) in into. eapply existsb_false; eauto.
    + apply itself; auto. left. eauto.
  - apply itself; [|now right].
    pose proof (node_rule _ _ _ _ _ _ _ fr there line) as eqn4. simpl in eqn4.
    rewrite val, yes_a in eqn4. split_and. apply eqb_prop in H. simpl in H. symmetry in H.
    apply orb_false_iff in H as [_ H]. destruct (mem n (exits c)); auto. simpl in H.
    apply not_nil in H as [t into]. rewrite <- (next_of_there _ _ _ there) in into.
    exfalso. eapply stuck. eapply step_next; eauto.
Qed.

Lemma nobody_lost_node sigma i c n nd :
  frame sigma i c -> (forall x, ~ lost sigma i c x) -> get n (nodes c) = Some nd ->
  value i n k = false -> ~ globally m P (sigma, n).
Proof.
  intros fr nobody there val glob. pose proof (node_rule _ _ _ _ _ _ _ fr there line) as rule.
  simpl in rule. rewrite val in rule. split_and. destruct (value i n a) eqn:yes_a.
  - apply is_some_true in H0 as [dd said].
    destruct (dead_leaves _ _ _ _ _ _ fr said eq_refl (ex_intro _ nd there) val glob)
      as (x & _ & is_lost).
    exact (nobody x is_lost).
  - apply (right_a (sigma, n)).
    + now apply (has_intro _ _ _ i c _ nd).
    + now apply globally_now.
Qed.

(** By induction on the height of the stack: nobody is lost. *)
Lemma nobody_lost sigma i c : frame sigma i c -> forall x, ~ lost sigma i c x.
Proof.
  induction 1 as [|sigma i c b bx j d fr IH box calls callee_there]; intros x is_lost.
  - pose proof (lost_context _ _ _ _ frame_root is_lost) as outside.
    pose proof (root_rule _ _ _ (proj1 is_lost) line) as rule. simpl in rule. congruence.
  - destruct (lost_goes_on _ _ _ _ _ _ _ _ fr box calls callee_there is_lost)
      as (t & into & val & glob & [plain|said]).
    + destruct t as [n|]; [|discriminate].
      pose proof (target_is_known _ _ _ (After b x) _ fr into) as known. simpl in known.
      apply is_some_true in known as [nd there].
      exact (nobody_lost_node _ _ _ _ _ fr IH there val glob).
    + apply is_some_true in said as [dd said].
      destruct (dead_leaves _ _ _ _ _ _ fr said eq_refl t into val glob) as (y & _ & lost').
      exact (IH y lost').
Qed.

Lemma globally_false s : has k false s -> ~ globally m P s.
Proof. intros [sigma i c n nd fr there val]. eauto using nobody_lost_node, nobody_lost. Qed.

Lemma right_EG : right k (EG f).
Proof. intros s. split; [apply globally_true | apply globally_false]. Qed.

End Globally.

(** * All formulas *)

Lemma right_formula f : forall k, is_formula cert f k = true -> right k f.
Proof.
  induction f; intros k is_f; simpl in is_f;
    destruct (get k (lines cert)) as [l|] eqn:line; try discriminate;
    destruct l; try discriminate; split_and;
    try solve [eauto using right_EX, right_EU, right_EG];
    intros s; split; intros [sigma i c n nd fr there val];
    pose proof (node_rule _ _ _ _ _ _ _ fr there line) as rule; simpl in rule;
    rewrite val in rule; try (apply eqb_prop in rule; symmetry in rule); simpl.
  - apply Pos.eqb_eq in is_f. subst p0. apply existsb_exists in rule as (q & into & same).
    apply Pos.eqb_eq in same. subst q. exists c, nd. eauto using frame_top.
  - apply Pos.eqb_eq in is_f. subst p0. intros (c' & nd' & is_top & there' & into).
    simpl in *. rewrite (frame_top _ _ _ fr) in is_top. injection is_top as <-.
    rewrite there in there'. injection there' as <-.
    pose proof (existsb_false _ _ _ _ rule into) as other. now rewrite Pos.eqb_refl in other.
  - exact I.
  - discriminate.
  - apply negb_true_iff in rule. apply (IHf _ is_f). now apply (has_intro _ _ _ i c _ nd).
  - apply negb_false_iff in rule. intros no. apply no. apply (IHf _ is_f).
    now apply (has_intro _ _ _ i c _ nd).
  - apply orb_true_iff in rule as [yes|yes]; [left; apply (IHf1 _ H) | right; apply (IHf2 _ H0)];
      now apply (has_intro _ _ _ i c _ nd).
  - apply orb_false_iff in rule as [no1 no2].
    intros [yes|yes]; [apply (IHf1 _ H (sigma, n)) | apply (IHf2 _ H0 (sigma, n))]; auto;
      now apply (has_intro _ _ _ i c _ nd).
  - apply andb_prop in rule as [yes1 yes2].
    split; [apply (IHf1 _ H) | apply (IHf2 _ H0)]; now apply (has_intro _ _ _ i c _ nd).
  - intros [yes1 yes2].
    apply andb_false_iff in rule as [no|no];
      [apply (IHf1 _ H (sigma, n)) | apply (IHf2 _ H0 (sigma, n))]; auto;
      now apply (has_intro _ _ _ i c _ nd).
Qed.

End Sound.

(** * The theorems *)

Theorem sound : forall model formula certificate verdict,
  accepts model formula certificate verdict = true ->
  (verdict = holds <-> forall s, initial model s -> satisfies model s formula).
Proof.
  intros m f cert v ok. apply andb_prop in ok as [is_f ok].
  apply andb_prop in ok as [ok root_ok]. apply andb_prop in ok as [ok instances_ok].
  apply andb_prop in ok as [ok _]. apply andb_prop in ok as [model_ok _].
  destruct (get 1 (instances cert)) as [root|] eqn:root_there; [|discriminate].
  destruct (get (initial_component m) (components m)) as [c|] eqn:c_there; [|discriminate].
  apply andb_prop in root_ok as [root_ok rule7]. apply andb_prop in root_ok as [root_of rule2].
  apply Pos.eqb_eq in root_of. apply eqb_prop in rule7.
  pose proof (right_formula m cert model_ok instances_ok root c root_there c_there root_of rule2
                f _ is_f) as right.
  assert (forall n, In n (initial_nodes m) -> exists nd, get n (nodes c) = Some nd) as known.
  { apply andb_prop in model_ok as [_ all]. rewrite c_there, forallb_forall in all.
    intros n into. now apply is_some_true, all. }
  assert (forall n value, In n (initial_nodes m) -> Check.value root n (last cert) = value ->
          has m cert root c (last cert) value ([], n)) as here.
  { intros n value into val. destruct (known n into) as [nd there].
    econstructor; eauto. constructor. }
  destruct (forallb _ (initial_nodes m)) eqn:all in rule7; destruct v; try discriminate.
  - split; auto. intros _ [sigma n] [empty into]. simpl in empty, into. subst sigma.
    rewrite forallb_forall in all. apply right. auto.
  - split; [discriminate|]. intros every_one. exfalso.
    assert (exists n, In n (initial_nodes m) /\ Check.value root n (last cert) = false)
      as (n & into & val).
    { clear -all. induction (initial_nodes m) as [|n ns IH]; simpl in *; [discriminate|].
      apply andb_false_iff in all as [no|no]; [eauto|].
      destruct (IH no) as (n' & into & val). eauto. }
    apply (right ([], n)); auto. apply every_one. now split.
Qed.

Corollary accepts_is_sound : sound_checker accepts.
Proof. exact sound. Qed.

(** The program runs [check] on the certificate alone. It is about a formula, and accepted for it:
    operands come before what they are operands of. *)
Lemma some_formula cert :
  every (line_known cert) (lines cert) = true ->
  forall k, is_some (get k (lines cert)) = true -> exists f, is_formula cert f k = true.
Proof.
  intros all. induction k as [k IH] using (well_founded_induction smaller_wf). intros known.
  apply is_some_true in known as [l line]. pose proof (every_get _ _ _ _ _ all line) as earlier.
  assert (forall a, Pos.ltb a k && is_some (get a (lines cert)) = true ->
          exists f, is_formula cert f a = true) as operand.
  { intros a ok. split_and. apply IH; auto. now apply Pos.ltb_lt. }
  destruct l as [p| |a|a b|a b|a|a b|a]; simpl in earlier;
    try (apply andb_prop in earlier as [one two];
         destruct (operand _ one) as [f is_a], (operand _ two) as [g is_b]);
    try destruct (operand _ earlier) as [f is_a].
  - exists (Ap p). simpl. rewrite line. apply Pos.eqb_refl.
  - exists Tt. simpl. now rewrite line.
  - exists (Not f). simpl. now rewrite line.
  - exists (Or f g). simpl. now rewrite line, is_a.
  - exists (And f g). simpl. now rewrite line, is_a.
  - exists (EX f). simpl. now rewrite line.
  - exists (EU f g). simpl. now rewrite line, is_a.
  - exists (EG f). simpl. now rewrite line.
Qed.

Theorem checked : forall model certificate verdict,
  check model certificate verdict = true ->
  exists formula, is_formula certificate formula (last certificate) = true /\
    (verdict = holds <-> forall s, initial model s -> satisfies model s formula).
Proof.
  intros m cert v ok.
  assert (exists f, is_formula cert f (last cert) = true) as [f is_f].
  { unfold check in ok. split_and. eapply some_formula; eauto. }
  exists f. split; auto. apply (sound m f cert v). unfold accepts. now rewrite is_f.
Qed.
