(* Which rule a certificate breaks that was refused: the line, the rule and the place, in the words
   of `nestor verify` and the first fault in its order (docs/certificates.md, "Which fault is
   named"). Nothing is decided here: `check` has said no, and all that is left is to say why. *)

open Certificate_reader
open Checker

exception Fault of int * string

type t = { model : Model_reader.t; read : Certificate_reader.t; all : instance array }

let position = Model_reader.position
let place = Model_reader.place

let require condition line why = if not condition then raise (Fault (line, why))

(* ---- names and lists ---- *)

let component_number t i = t.read.places.(i).component
let component t i = t.model.components.(component_number t i)
let callee t i b = place (Option.get (get (position b) t.all.(i).callees))

let describe t i point =
  let c = component_number t i in
  let where =
    match point with
    | At n -> t.model.node_names.(c).(place n)
    | After (b, x) ->
      let d = t.model.callees.(c).(place b) in
      t.model.box_names.(c).(place b) ^ "." ^ t.model.node_names.(d).(place x)
  in
  Printf.sprintf ", in instance %d at %s.%s" i t.model.names.(c) where

let require_at t i point condition line why =
  if not condition then raise (Fault (line, why ^ describe t i point))

let count_to n = List.init n Fun.id
let exits t c =
  List.filter (fun x -> mem x t.model.components.(c).exits)
    (List.map position (count_to t.model.node_counts.(c)))

let for_each_instance t visit = Array.iteri visit t.all

let for_each_node t visit =
  for_each_instance t (fun i instance ->
      for k = 0 to t.model.node_counts.(component_number t i) - 1 do
        let n = position k in
        let node = Option.get (get n (component t i).nodes) in
        visit i instance n node
      done)

(* Calls visit for each instance, box, instance of the callee and exit. *)
let for_each_return t visit =
  let exits = Array.init (Array.length t.model.names) (fun c -> lazy (exits t c)) in
  for_each_instance t (fun i instance ->
      Array.iteri
        (fun b d ->
          List.iter (visit i instance (position b) (callee t i b)) (Lazy.force exits.(d)))
        t.model.callees.(component_number t i))

let line_of lines f = lines.(place f)
let value_line t i f = line_of t.read.places.(i).value_lines f
let context_line t i f = line_of t.read.places.(i).context_lines f

(* ---- the rules ---- *)

let box_map t =
  let start = place t.model.model.initial_component in
  require (component_number t 0 = start) t.read.places.(0).instance_line
    "the root is no instance of the initial component";
  for_each_instance t (fun i _ ->
      Array.iteri
        (fun b d ->
          require (component_number t (callee t i b) = d) t.read.places.(i).callee_lines.(b)
            "the box calls another component")
        t.model.callees.(component_number t i))

let rule_2 t f line =
  let root = t.all.(0) in
  List.iter
    (fun x ->
      require_at t 0 (At x) (root_right root x f line) (context_line t 0 f)
        "rule 2: the root's context is wrong")
    (exits t (component_number t 0))

let rule_3 t f line =
  for_each_return t (fun i instance b j x ->
      let ts = after_of (component t i) b x in
      let some after = List.exists (seen t.read.certificate instance after) ts in
      let right =
        match line with
        | LEX g -> some g
        | LEG _ -> some f || (ts = [] && next_of (component t j) x = [])
        | _ -> some f
      in
      require_at t i (After (b, x)) (in_context t.all.(j) x f = right) (context_line t j f)
        "rule 3: the context is not what follows the return")

(* Rules 1 and 4: what the value of `line` must be at a node. *)
let right_value t i instance n (node : node) f line =
  let v = value instance n in
  let is_exit = mem n (component t i).exits in
  let some after =
    List.exists (seen t.read.certificate instance after) node.next
    || (is_exit && in_context instance n f)
  in
  match line with
  | LAp p -> List.mem p node.labels
  | LTt -> true
  | LNot g -> not (v g)
  | LOr (g, h) -> v g || v h
  | LAnd (g, h) -> v g && v h
  | LEX g -> some g
  | LEU (g, h) -> v h || (v g && some f)
  | LEG g -> v g && (some f || ((not is_exit) && node.next = []))

let rules_1_and_4 t f line =
  let why =
    if is_existential line then "rule 4: the value does not solve the equation"
    else "rule 1: the value does not follow"
  in
  for_each_node t (fun i instance n node ->
      require_at t i (At n)
        (value instance n f = right_value t i instance n node f line)
        (value_line t i f) why)

let fact_rule t item instance g h =
  let cert = t.read.certificate and i = item.instance and f = item.formula in
  let expect = fun condition why -> require_at t i item.point condition item.item_line why in
  let fact = Option.get (fact_at instance f item.point item.target) in
  let smaller instance point target =
    match fact_at instance f point target with
    | Some lower -> Pos.ltb lower.rank fact.rank
    | None -> false
  in
  match fact.chosen with
  | Here ->
    expect (fact_right cert instance (component t i) f g h item.point item.target fact)
      "rule 5: the fact is not true here"
  | By (target, through) ->
    expect (match item.point with At n -> value instance n g | After _ -> true)
      "rule 5: a fact at a node without φ";
    (match target, through with
     | Plain n, _ ->
       expect (smaller instance (At n) item.target)
         "rule 5: the successor has no such fact with a smaller rank"
     | Call (b, en), _ ->
       expect (through <> None || item.target = None)
         "rule 5: an exit is reached only by returning";
       expect (smaller t.all.(callee t i (place b)) (At en) through)
         "rule 5: the callee's entry has no such fact with a smaller rank";
       Option.iter
         (fun y ->
           expect (smaller instance (After (b, y)) item.target)
             "rule 5: the return point has no such fact with a smaller rank")
         through)

let dead_rule t item instance g =
  let cert = t.read.certificate and i = item.instance and f = item.formula in
  let expect = fun condition why -> require_at t i item.point condition item.item_line why in
  let dead = Option.get (at_point instance.deaths f item.point) in
  let smaller instance point =
    match at_point instance.deaths f point with
    | Some lower when Pos.ltb lower.height dead.height -> lower.reach
    | _ -> expect false "rule 6: a successor has no smaller rank"; Empty
  in
  let contains reach = every (fun x () -> mem x dead.reach) reach in
  (match item.point with
   | At n ->
     expect ((not (mem n (component t i).exits)) || mem n dead.reach)
       "rule 6: 'reach' lacks the exit itself"
   | After _ -> ());
  List.iter
    (fun target ->
      if seen cert instance g target then
        match target with
        | Plain n ->
          expect (contains (smaller instance (At n))) "rule 6: 'reach' lacks an exit of a successor"
        | Call (b, en) ->
          let j = callee t i (place b) in
          let reach = smaller t.all.(j) (At en) in
          List.iter
            (fun x ->
              if mem x reach then
                expect (contains (smaller instance (After (b, x))))
                  "rule 6: 'reach' lacks an exit of a return point")
            (exits t (component_number t j)))
    (targets (component t i) item.point)

let items_right t formulas =
  for k = 0 to t.read.item_count - 1 do
    let item = item_kept t.read.items k in
    let instance = t.all.(item.instance) in
    match formulas.(place item.formula) with
    | LEU (g, h) -> fact_rule t item instance g h
    | LEG g -> dead_rule t item instance g
    | _ -> ()
  done

(* What rules 5 and 6 ask for is there. *)
let nodes_proved t f line =
  for_each_node t (fun i instance n _ ->
      let v = value instance n in
      match line with
      | LEU _ ->
        require_at t i (At n) ((not (v f)) || has_way instance f (At n)) (value_line t i f)
          "rule 5: no fact for a node with value 1"
      | LEG g ->
        require_at t i (At n)
          (v f || (not (v g)) || is_some (at_point instance.deaths f (At n)))
          (value_line t i f) "rule 6: no rank for a node with value 0"
      | _ -> ())

(* Rules 3 to 6 at a return point; rule 3 has been seen to. *)
let return_points_proved t f line =
  for_each_return t (fun i instance b j x ->
      let d = component t j in
      let right =
        context_right t.read.certificate instance (component t i) b t.all.(j) d x f line
      in
      require_at t i (After (b, x)) right (context_line t j f)
        (match line with
         | LEU _ -> "rule 5: no fact for a return point of an exit in the context"
         | _ -> "rule 6: no rank for a return point of an exit with value 0"))

let rules t =
  let cert = t.read.certificate in
  let formulas =
    Array.init (place cert.last + 1) (fun f -> Option.get (get (position f) cert.lines))
  in
  let for_each_formula visit = Array.iteri (fun f line -> visit (position f) line) formulas in
  box_map t;
  for_each_formula (fun f line ->
      if is_existential line then begin rule_2 t f line; rule_3 t f line end;
      rules_1_and_4 t f line);
  Option.iter
    (fun k ->
      let item = item_kept t.read.items k in
      require_at t item.instance item.point false item.item_line "the same said a second time")
    t.read.repeated;
  items_right t formulas;
  for_each_formula (fun f line ->
      nodes_proved t f line;
      return_points_proved t f line);
  let root = t.all.(0) in
  let all = List.for_all (fun n -> value root n cert.last) t.model.model.initial_nodes in
  require ((t.read.verdict = Holds) = all) t.read.verdict_line
    "rule 7: the verdict is not what the initial nodes say"

(* The line and what is wrong there. *)
let first_fault model (read : Certificate_reader.t) =
  let instances =
    Array.init (Array.length read.places) (fun i ->
        Option.get (get (position i) read.certificate.instances))
  in
  match rules { model; read; all = instances } with
  | () -> 0, "the proved checker refuses it, for a reason that it cannot name"
  | exception Fault (line, what) -> line, what
