(* The text of a certificate (docs/certificates.md) into the certificate of Statement.v. Nothing
   but the lines `formula` and `verdict` matters for what is proved: the rest is for the checker to
   refuse. Where things stand in the text is kept beside it, for diagnosis.ml. *)

open Checker

exception Refused of int * string  (* the line and what is wrong with it *)

type operator = True | Ap | Unary of (positive -> line) | Binary of (positive -> positive -> line)

let operators =
  [ "true", True; "ap", Ap; "not", Unary (fun f -> LNot f); "EX", Unary (fun f -> LEX f);
    "EG", Unary (fun f -> LEG f); "or", Binary (fun f g -> LOr (f, g));
    "and", Binary (fun f g -> LAnd (f, g)); "EU", Binary (fun f g -> LEU (f, g)) ]

(* Where the lines of an instance are, by box and by subformula; 0: nowhere. *)
type places = {
  component : int;
  instance_line : int;
  callee_lines : int array;
  value_lines : int array;
  context_lines : int array;
}

(* A line `fact`, `point`, `dead` or `deadpoint`. *)
type item = {
  item_line : int;
  instance : int;
  formula : positive;
  point : point;
  target : positive option;  (* of a fact: an exit, or none: goal *)
}

(* An instance while its lines are read. *)
type draft = {
  places : places;
  boxes : int option array;
  digits : string option array;  (* by subformula *)
  exits_of : set option array;  (* by subformula: its context *)
  facts_of : facts points array;  (* by subformula *)
  dead_of : dead points array;
}

type reader = {
  lines_of : Lines.t;
  model : Model_reader.t;
  mutable line : string;
  mutable rest : int;  (* where in the line the next field begins; past its end: there is none *)
  mutable formulas : line list;  (* the last one first *)
  mutable count : int;  (* of them *)
  mutable made : instance table;
  mutable made_count : int;
  mutable draft : draft option;
  mutable all_places : places list;  (* the last one first *)
  items : Buffer.t;  (* see `keep_item` *)
  mutable item_count : int;
  mutable repeated : int option;  (* the first item that says what another one said *)
  columns : (string, set) Hashtbl.t;  (* the subformulas with value 1, by their digits *)
}

let refuse r what = raise (Refused (max 1 (Lines.number r.lines_of), what))
let expect r condition what = if not condition then refuse r what

(* ---- lines and fields ---- *)

let without_comment line =
  let rec go k quoted =
    if k >= String.length line then String.length line
    else
      match line.[k] with
      | '"' -> go (k + 1) (not quoted)
      | '\\' when quoted -> go (k + 2) quoted
      | '#' when not quoted -> k
      | _ -> go (k + 1) quoted
  in
  let rec trim k = if k > 0 && line.[k - 1] = ' ' then trim (k - 1) else k in
  let length = trim (if String.contains line '#' then go 0 false else String.length line) in
  if length = String.length line then line else String.sub line 0 length

let rec next_line r =
  match Lines.next r.lines_of with
  | None -> false
  | Some line ->
    r.line <- without_comment line;
    r.rest <- 0;
    r.line <> "" || next_line r

let expect_line r = expect r (next_line r) "the certificate ends without 'end'"
let at_end r = r.rest > String.length r.line

let rest r =
  let text = if at_end r then "" else String.sub r.line r.rest (String.length r.line - r.rest) in
  r.rest <- String.length r.line + 1;
  text

let word r =
  expect r (not (at_end r)) "expected another field";
  let stop = try String.index_from r.line r.rest ' ' with Not_found -> String.length r.line in
  let field = String.sub r.line r.rest (stop - r.rest) in
  expect r (field <> "") "expected another field";
  r.rest <- stop + 1;
  field

let number r field =
  let value = ref 0 in
  expect r (field <> "") "expected a number below 4294967295";
  String.iter
    (fun c ->
      value := (10 * !value) + Char.code c - 48;
      expect r (c >= '0' && c <= '9' && !value < 0xffffffff) "expected a number below 4294967295")
    field;
  !value

let number_below r limit what =
  let value = number r (word r) in
  expect r (value < limit) (Printf.sprintf "there is no %s %d" what value);
  value

let json_string r =
  let text = rest r in
  let json = Json.of_string text in
  match
    expect r (text <> "" && text.[0] = '"') "expected a JSON string";
    let value = Json.string json "" in
    Json.finish json;
    value
  with
  | value -> value
  | exception Json.Malformed -> refuse r "expected a JSON string"

let position = Model_reader.position

let exit_named r component field =
  let k = number r field in
  let exits = r.model.components.(component).exits in
  expect r (k < r.model.node_counts.(component) && mem (position k) exits)
    (Printf.sprintf "node %d is no exit of '%s'" k r.model.names.(component));
  position k

(* ---- formulas ---- *)

let operand r = position (number_below r r.count "formula")

let formula r =
  ignore (word r);
  expect r (number r (word r) = r.count) "expected formulas to be numbered from 0 upwards";
  let line =
    match List.assoc_opt (word r) operators with
    | None -> refuse r "unknown operator"
    | Some True -> LTt
    | Some Ap -> LAp (Model_reader.proposition (json_string r))
    | Some (Unary make) -> make (operand r)
    | Some (Binary make) ->
      let f = operand r in
      make f (operand r)
  in
  expect r (at_end r) "expected nothing more on this line";
  r.formulas <- line :: r.formulas;
  r.count <- r.count + 1

let is_existential = function LEX _ | LEU _ | LEG _ -> true | _ -> false

(* ---- instances ---- *)

(* By node: the subformulas whose digit is 1. *)
let values r digits nodes =
  let table = ref Empty in
  let column = Bytes.create r.count in
  for n = 0 to nodes - 1 do
    for f = 0 to r.count - 1 do
      Bytes.unsafe_set column f (String.get digits.(f) n)
    done;
    let key = Bytes.to_string column in
    let ones =
      match Hashtbl.find_opt r.columns key with
      | Some ones -> ones
      | None ->
        let ones = ref Empty in
        String.iteri (fun f digit -> if digit = '1' then ones := put (position f) () !ones) key;
        Hashtbl.add r.columns key !ones;
        !ones
    in
    table := put (position n) ones !table
  done;
  !table

let nothing = { at_node = Empty; at_return = Empty }

let by_formula points =
  let table = ref Empty in
  Array.iteri (fun f p -> if p != nothing then table := put (position f) p !table) points;
  !table

let end_instance r formulas =
  match r.draft with
  | None -> ()
  | Some d ->
    let given what = function
      | Some x -> x
      | None -> refuse r (Printf.sprintf "expected a line %s before this" what)
    in
    let callees = ref Empty and contexts = ref Empty in
    Array.iteri
      (fun b j -> callees := put (position b) (position (given "'box' for each box" j)) !callees)
      d.boxes;
    let digits =
      Array.mapi
        (fun f digits ->
          let digits = given "'value' for each formula" digits in
          if is_existential formulas.(f) then begin
            let exits = given "'context' for each EX, EU and EG" d.exits_of.(f) in
            contexts := put (position f) exits !contexts
          end;
          digits)
        d.digits
    in
    let instance =
      { component_of = position d.places.component; callees = !callees; contexts = !contexts;
        values = values r digits r.model.node_counts.(d.places.component);
        proofs = by_formula d.facts_of; deaths = by_formula d.dead_of }
    in
    r.made <- put (position r.made_count) instance r.made;
    r.made_count <- r.made_count + 1;
    r.draft <- None

let instance r formulas =
  end_instance r formulas;
  expect r (number r (word r) = r.made_count) "expected instances to be numbered from 0 upwards";
  let found = Hashtbl.find_opt r.model.number_of (json_string r) in
  let component = match found with Some c -> c | None -> refuse r "there is no such component" in
  let box_count = Array.length r.model.callees.(component) in
  let places =
    { component; instance_line = Lines.number r.lines_of; callee_lines = Array.make box_count 0;
      value_lines = Array.make r.count 0; context_lines = Array.make r.count 0 }
  in
  r.all_places <- places :: r.all_places;
  r.draft <-
    Some
      { places; boxes = Array.make box_count None;
        digits = Array.make r.count None; exits_of = Array.make r.count None;
        facts_of = Array.make r.count nothing; dead_of = Array.make r.count nothing }

let value r d =
  let f = number_below r r.count "formula" in
  expect r (d.digits.(f) = None) "second values for this formula";
  d.places.value_lines.(f) <- Lines.number r.lines_of;
  let digits = rest r in
  expect r
    (String.length digits = r.model.node_counts.(d.places.component)
     && (let ok = ref true in
         String.iter (fun c -> if c <> '0' && c <> '1' then ok := false) digits;
         !ok))
    "expected a digit 0 or 1 for each node";
  d.digits.(f) <- Some digits

let context r formulas d =
  let f = number_below r r.count "formula" in
  expect r (is_existential formulas.(f)) "only EX, EU and EG have contexts";
  expect r (d.exits_of.(f) = None) "a second context for this formula";
  d.places.context_lines.(f) <- Lines.number r.lines_of;
  let exits = ref Empty in
  while not (at_end r) do
    exits := put (exit_named r d.places.component (word r)) () !exits
  done;
  d.exits_of.(f) <- Some !exits

(* ---- what is said of points ---- *)

let point r d is_return =
  if is_return then begin
    let b = number_below r (Array.length d.boxes) "box" in
    let x = exit_named r r.model.callees.(d.places.component).(b) (word r) in
    After (position b, x)
  end
  else At (position (number_below r r.model.node_counts.(d.places.component) "node"))

let at points = function
  | At n -> get n points.at_node
  | After (b, x) ->
    (match get b points.at_return with Some by_exit -> get x by_exit | None -> None)

let set points point what =
  match point with
  | At n -> { points with at_node = put n what points.at_node }
  | After (b, x) ->
    let by_exit = match get b points.at_return with Some by_exit -> by_exit | None -> Empty in
    { points with at_return = put b (put x what by_exit) points.at_return }

(* Items are many, so they are kept as six numbers of 32 bits each. *)
let keep_item r f point target is_new =
  let add k = Buffer.add_int32_le r.items (Int32.of_int k) in
  let place = Model_reader.place in
  add (Lines.number r.lines_of);
  add r.made_count;
  add f;
  (match point with
   | At n -> add (-1); add (place n)
   | After (b, x) -> add (place b); add (place x));
  add (match target with None -> -1 | Some x -> place x);
  if not is_new && r.repeated = None then r.repeated <- Some r.item_count;
  r.item_count <- r.item_count + 1

let item_kept items k =
  let field j = Int32.to_int (String.get_int32_le items ((24 * k) + (4 * j))) in
  let exit_or_node = position (field 4) in
  { item_line = field 0; instance = field 1; formula = position (field 2);
    point = if field 3 < 0 then At exit_or_node else After (position (field 3), exit_or_node);
    target = if field 5 < 0 then None else Some (position (field 5)) }

let rank r = Model_reader.positive (number r (word r) + 1)

let choice r d point =
  match word r with
  | "here" -> Here
  | field ->
    let c = r.model.components.(d.places.component) in
    (match List.nth_opt (targets c point) (number r field), at_end r with
     | None, _ -> refuse r "there is no such successor to choose"
     | Some target, true -> By (target, None)
     | Some (Plain _), false -> refuse r "only a call returns through an exit"
     | Some (Call (b, _) as target), false ->
       let callee = r.model.callees.(d.places.component).(Model_reader.place b) in
       By (target, Some (exit_named r callee (word r))))

let of_item r d is_return is_right =
  let f = number_below r r.count "formula" in
  expect r (is_right f) "only EU has facts, only EG has the dead";
  f, point r d is_return

let fact r formulas d is_return =
  let is_until f = match formulas.(f) with LEU _ -> true | _ -> false in
  let f, point = of_item r d is_return is_until in
  let target =
    match word r with "goal" -> None | field -> Some (exit_named r d.places.component field)
  in
  let rank = rank r in
  let fact = { rank; chosen = choice r d point } in
  let known =
    match at d.facts_of.(f) point with
    | Some known -> known
    | None -> { to_goal = None; to_exit = Empty }
  in
  let is_new = not (is_some (fact_to known target)) in
  keep_item r f point target is_new;
  let more =
    match target with
    | None -> { known with to_goal = Some fact }
    | Some x -> { known with to_exit = put x fact known.to_exit }
  in
  if is_new then d.facts_of.(f) <- set d.facts_of.(f) point more

let dead r formulas d is_return =
  let is_globally f = match formulas.(f) with LEG _ -> true | _ -> false in
  let f, point = of_item r d is_return is_globally in
  let height = rank r in
  let exits = match word r with "none" -> [] | field -> String.split_on_char ',' field in
  let reach =
    List.fold_left (fun s x -> put (exit_named r d.places.component x) () s) Empty exits
  in
  let is_new = not (is_some (at d.dead_of.(f) point)) in
  keep_item r f point None is_new;
  if is_new then d.dead_of.(f) <- set d.dead_of.(f) point { height; reach }

let item r formulas =
  match word r, r.draft with
  | "instance", _ -> instance r formulas
  | _, None -> refuse r "expected an instance"
  | "box", Some d ->
    let b = number_below r (Array.length d.boxes) "box" in
    expect r (d.boxes.(b) = None) "a second line for this box";
    d.boxes.(b) <- Some (number r (word r));
    d.places.callee_lines.(b) <- Lines.number r.lines_of
  | "context", Some d -> context r formulas d
  | "value", Some d -> value r d
  | "fact", Some d -> fact r formulas d false
  | "point", Some d -> fact r formulas d true
  | "dead", Some d -> dead r formulas d false
  | "deadpoint", Some d -> dead r formulas d true
  | _, Some _ -> refuse r "unknown keyword"

(* Every box leads to an instance. *)
let instances_known r all_places =
  Array.iteri
    (fun i places ->
      let known = match get (position i) r.made with Some i -> i.callees | None -> Empty in
      Array.iteri
        (fun b line ->
          match get (position b) known with
          | Some j when Model_reader.place j >= r.made_count ->
            let what = Printf.sprintf "there is no instance %d" (Model_reader.place j) in
            raise (Refused (line, what))
          | _ -> ())
        places.callee_lines)
    all_places

type t = {
  certificate : certificate;
  verdict : verdict;  (* that it is for *)
  model_hash : string;
  model_line : int;
  verdict_line : int;
  places : places array;  (* by instance *)
  items : string;  (* for `item_kept` *)
  item_count : int;
  repeated : int option;  (* an item that must not be there *)
}

let read lines_of (model : Model_reader.t) =
  let r =
    { lines_of; model; line = ""; rest = 0; formulas = []; count = 0; made = Empty; made_count = 0;
      draft = None; all_places = []; items = Buffer.create 4096; item_count = 0; repeated = None;
      columns = Hashtbl.create 64 }
  in
  let is_there = next_line r in
  expect r (not (is_there && r.line = "nestor-certificate 2"))
    "a certificate for LTL or CTL*: this checker is proved for CTL, use 'nestor verify'";
  expect r (is_there && r.line = "nestor-certificate 1")
    "expected 'nestor-certificate 1' or 'nestor-certificate 2'";
  expect_line r;
  expect r (word r = "model") "expected 'model' and the model's SHA-256";
  let model_hash = json_string r in
  let model_line = Lines.number lines_of in
  expect_line r;
  while String.length r.line >= 8 && String.sub r.line 0 8 = "formula " do
    formula r;
    expect_line r
  done;
  expect r (r.count > 0) "expected a formula";
  let verdict =
    match r.line with
    | "verdict holds" -> Holds
    | "verdict fails" -> Fails
    | _ -> refuse r "expected 'verdict holds' or 'verdict fails'"
  in
  let verdict_line = Lines.number lines_of in
  let formulas = Array.of_list (List.rev r.formulas) in
  expect_line r;
  while r.line <> "end" do
    item r formulas;
    expect r (at_end r) "expected nothing more on this line";
    expect_line r
  done;
  end_instance r formulas;
  expect r (r.made_count > 0) "expected the root, instance 0, before the end";
  expect r (not (next_line r)) "expected nothing after 'end'";
  let places = Array.of_list (List.rev r.all_places) in
  instances_known r places;
  let lines = ref Empty in
  Array.iteri (fun f line -> lines := put (position f) line !lines) formulas;
  { certificate = { lines = !lines; last = position (r.count - 1); instances = r.made };
    verdict; model_hash; model_line; verdict_line; places; items = Buffer.contents r.items;
    item_count = r.item_count; repeated = r.repeated }
