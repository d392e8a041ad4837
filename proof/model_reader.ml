(* RSM JSON (docs/formats.md) into the model of Statement.v. Components, nodes and boxes become
   their positions in the file, counted from 1; propositions are numbered as they come. *)

open Checker

(* What is wrong, at which byte of the file: in the words of `nestor verify`, and the first fault in
   its order. *)
let fail at form = Printf.ksprintf (Json.unexpected at) form

(* ---- numbers ---- *)

let rec to_positive k =
  if k = 1 then XH
  else if k land 1 = 1 then XI (to_positive (k lsr 1))
  else XO (to_positive (k lsr 1))

(* Small numbers are made once; most are small. *)
let small = ref [||]

let positive k =
  assert (k > 0);
  if k >= 1 lsl 22 then to_positive k
  else begin
    if k >= Array.length !small then begin
      let old = !small in
      let size = max 1024 (min (1 lsl 22) (2 * (k + 1))) in
      let grown = Array.make size XH in
      Array.blit old 0 grown 0 (Array.length old);
      for i = max 2 (Array.length old) to size - 1 do
        let half = grown.(i lsr 1) in
        grown.(i) <- (if i land 1 = 1 then XI half else XO half)
      done;
      small := grown
    end;
    !small.(k)
  end

(* The k-th thing of a file, counted from 0. *)
let position k = positive (k + 1)
let place p =
  let rec to_int = function XH -> 1 | XO p -> 2 * to_int p | XI p -> (2 * to_int p) + 1 in
  to_int p - 1

(* ---- what is read, before names are resolved ---- *)

type name = { text : string; at : int }  (* where it stands in the file *)
type reference = Node of name | Box_node of string * name
type raw_node = { name : name; is_entry : bool; is_exit : bool; propositions : positive list }
type raw_box = { box_name : name; callee_name : name; calls : name list; returns : name list }

type raw_component = {
  component_name : name;
  raw_nodes : raw_node array;
  raw_boxes : raw_box array;
  transitions : (reference * reference list) list;
}

(* Strings that recur are kept once. *)
let kept : (string, string) Hashtbl.t = Hashtbl.create 4096

let keep text =
  match Hashtbl.find_opt kept text with Some same -> same | None -> Hashtbl.add kept text text; text

let propositions : (string, positive) Hashtbl.t = Hashtbl.create 64

let proposition text =
  match Hashtbl.find_opt propositions text with
  | Some p -> p
  | None ->
    let p = position (Hashtbl.length propositions) in
    Hashtbl.add propositions text p;
    p

let list json what item =
  let found = ref [] in
  Json.array json what (fun () -> found := item () :: !found);
  List.rev !found

let text json what =
  let at = Json.place json in
  { text = keep (Json.string json what); at }

let texts json what = list json what (fun () -> text json "array element")

let name json what =
  let found = text json what in
  if found.text = "" then fail found.at "%s is empty, expected a name" what;
  found

let nowhere = { text = ""; at = 0 }

let read_line json =
  let at = Json.place json in
  (match Json.token json with
   | '-' | '0' .. '9' -> ()
   | _ -> Json.wrong_type json "'line'" "a positive integer");
  let digits = Json.number json in
  let is_integer = String.for_all (fun c -> c >= '0' && c <= '9') digits in
  match if is_integer then int_of_string_opt digits else None with
  | Some line when line >= 1 && line <= 0xffffffff -> at
  | _ -> fail at "'line' is out of range, expected an integer from 1 to 4294967295"

let read_node json =
  let node = ref { name = nowhere; is_entry = false; is_exit = false; propositions = [] } in
  let line_at = ref 0 in
  let seen =
    Json.obj json "node" [| "name"; "labels"; "is_entry"; "is_exit"; "file"; "line" |] 0b1111
      (function
        | 0 -> node := { !node with name = name json "'name'" }
        | 1 ->
          let label () = proposition (Json.string json "array element") in
          node := { !node with propositions = list json "'labels'" label }
        | 2 -> node := { !node with is_entry = Json.boolean json "'is_entry'" }
        | 3 -> node := { !node with is_exit = Json.boolean json "'is_exit'" }
        | 4 -> ignore (name json "'file'")
        | _ -> line_at := read_line json)
  in
  if seen land 0b110000 = 0b100000 then fail !line_at "'line' without 'file'";
  !node

let read_box json =
  let box = ref { box_name = nowhere; callee_name = nowhere; calls = []; returns = [] } in
  ignore
    (Json.obj json "box" [| "name"; "component"; "call_nodes"; "return_nodes" |] 0b1111 (function
       | 0 -> box := { !box with box_name = name json "'name'" }
       | 1 -> box := { !box with callee_name = name json "'component'" }
       | 2 -> box := { !box with calls = texts json "'call_nodes'" }
       | _ -> box := { !box with returns = texts json "'return_nodes'" }));
  !box

let read_reference json =
  let keys = [| "type"; "name"; "box_name"; "node_name" |] in
  let members = Array.make 4 nowhere in
  let at = Json.place json in
  let seen =
    Json.obj json "reference" keys 1 (fun k ->
        members.(k) <- text json (Printf.sprintf "'%s'" keys.(k)))
  in
  match members.(0).text with
  | "node" ->
    Json.require "reference" keys seen 0b10 at;
    Node members.(1)
  | "box_node" ->
    Json.require "reference" keys seen 0b1100 at;
    Box_node (members.(2).text, { (members.(3)) with at })
  | other -> fail members.(0).at "unknown type '%s', expected 'node' or 'box_node'" other

let read_transition json =
  let source = ref (Node nowhere) and targets = ref [] in
  ignore
    (Json.obj json "transition" [| "source"; "targets" |] 0b11 (function
       | 0 -> source := read_reference json
       | _ -> targets := list json "'targets'" (fun () -> read_reference json)));
  !source, !targets

let read_component json =
  let component = ref nowhere and nodes = ref [||] and boxes = ref [||] and transitions = ref [] in
  ignore
    (Json.obj json "component" [| "name"; "nodes"; "boxes"; "transitions" |] 0b1111 (function
       | 0 -> component := name json "'name'"
       | 1 -> nodes := Array.of_list (list json "'nodes'" (fun () -> read_node json))
       | 2 -> boxes := Array.of_list (list json "'boxes'" (fun () -> read_box json))
       | _ -> transitions := list json "'transitions'" (fun () -> read_transition json)));
  { component_name = !component; raw_nodes = !nodes; raw_boxes = !boxes;
    transitions = !transitions }

(* ---- names become positions ---- *)

type t = {
  model : model;
  number_of : (string, int) Hashtbl.t;  (* of a component *)
  components : component array;
  node_counts : int array;
  callees : int array array;  (* by component and box *)
  hash : string;  (* SHA-256 of the file *)
  names : string array;  (* of components *)
  node_names : string array array;
  box_names : string array array;
}

(* The positions of names, and the first one that comes again. *)
let positions names =
  let table = Hashtbl.create (Array.length names) and repeated = ref None in
  Array.iteri
    (fun k name ->
      if !repeated = None && Hashtbl.mem table name.text then repeated := Some name;
      Hashtbl.add table name.text k)
    names;
  table, !repeated

let check_callees number_of c =
  Array.iter
    (fun b ->
      if not (Hashtbl.mem number_of b.callee_name.text) then
        fail b.callee_name.at "box '%s' calls the unknown component '%s'" b.box_name.text
          b.callee_name.text)
    c.raw_boxes

(* What a box lists are entries and exits of its callee. *)
let check_lists raw number_of =
  let names_of is_one =
    Array.map
      (fun c ->
        let table = Hashtbl.create 8 in
        Array.iter (fun n -> if is_one n then Hashtbl.replace table n.name.text ()) c.raw_nodes;
        table)
      raw
  in
  let entries = names_of (fun n -> n.is_entry) and exits = names_of (fun n -> n.is_exit) in
  let check_box b =
    let callee = Hashtbl.find number_of b.callee_name.text in
    let check kind role known =
      List.iter (fun name ->
          if not (Hashtbl.mem known.(callee) name.text) then
            fail name.at "%s node '%s' of box '%s' is no %s of component '%s'" kind name.text
              b.box_name.text role b.callee_name.text)
    in
    if b.calls = [] then fail b.box_name.at "box '%s' has no call nodes" b.box_name.text;
    check "call" "entry" entries b.calls;
    check "return" "exit" exits b.returns
  in
  Array.iter (fun c -> Array.iter check_box c.raw_boxes) raw

let resolve number_of node_positions c =
  let of_component = c.component_name.text in
  let positions_of component = node_positions.(Hashtbl.find number_of component) in
  let position_of, repeated_node = positions_of of_component in
  let box_of, repeated_box = positions (Array.map (fun b -> b.box_name) c.raw_boxes) in
  let once what =
    Option.iter (fun name ->
        fail name.at "duplicate %s '%s' in component '%s'" what name.text of_component)
  in
  once "node" repeated_node;
  once "box" repeated_box;
  let node name =
    match Hashtbl.find_opt position_of name.text with
    | Some k -> k
    | None -> fail name.at "unknown node '%s' in component '%s'" name.text of_component
  in
  (* A box, and a node of its callee that the box lists. *)
  let in_box box_name name listed kind way =
    match Hashtbl.find_opt box_of box_name with
    | None -> fail name.at "unknown box '%s' in component '%s'" box_name of_component
    | Some k ->
      let b = c.raw_boxes.(k) in
      if not (List.exists (fun other -> other.text = name.text) (listed b)) then
        fail name.at "box '%s' has no %s node '%s' for a transition to %s" box_name kind name.text
          way;
      k, Hashtbl.find (fst (positions_of b.callee_name.text)) name.text
  in
  let target = function
    | Node name -> Plain (position (node name))
    | Box_node (box_name, name) ->
      let b, en = in_box box_name name (fun b -> b.calls) "call" "enter" in
      Call (position b, position en)
  in
  (* Targets in the order of the file, over all transitions of a source. *)
  let next = Array.make (Array.length c.raw_nodes) [] in
  let after = Array.make (Array.length c.raw_boxes) Empty in
  List.iter
    (fun (source, references) ->
      match source with
      | Node name ->
        let k = node name in
        List.iter (fun reference -> next.(k) <- target reference :: next.(k)) references
      | Box_node _ when references = [] -> ()
      | Box_node (box_name, name) ->
        let b, k = in_box box_name name (fun b -> b.returns) "return" "leave" in
        let x = position k in
        let before = match get x after.(b) with Some ts -> ts | None -> [] in
        let targets = List.rev (List.rev_map target references) in
        after.(b) <- put x (before @ targets) after.(b))
    c.transitions;
  let nodes = ref Empty and exits = ref Empty and boxes = ref Empty in
  Array.iteri
    (fun k n ->
      nodes := put (position k) { labels = n.propositions; next = List.rev next.(k) } !nodes;
      if n.is_exit then exits := put (position k) () !exits)
    c.raw_nodes;
  Array.iteri
    (fun k b ->
      let callee = position (Hashtbl.find number_of b.callee_name.text) in
      boxes := put (position k) { callee; after = after.(k) } !boxes)
    c.raw_boxes;
  { nodes = !nodes; exits = !exits; boxes = !boxes }

let initial_nodes c position_of initial names =
  let of_component = c.component_name.text in
  let seen = Hashtbl.create 8 in
  let named name =
    match Hashtbl.find_opt position_of name.text with
    | None -> fail name.at "unknown initial node '%s' in component '%s'" name.text of_component
    | Some k ->
      if Hashtbl.mem seen k then fail name.at "duplicate initial node '%s'" name.text;
      Hashtbl.add seen k ();
      position k
  in
  let found = List.rev (List.rev_map named names) in
  let entries = ref [] in
  if found = [] then
    Array.iteri (fun k n -> if n.is_entry then entries := position k :: !entries) c.raw_nodes;
  if found = [] && !entries = [] then
    fail initial.at "no initial node is named and component '%s' has no entry" of_component;
  found @ List.rev !entries

let read input =
  let json = Json.of_input input in
  let initial = ref nowhere and one = ref None and several = ref None and raw = ref [] in
  (match Json.token json with
   | '{' -> ()
   | '[' | '"' | 't' | 'f' | 'n' | '-' | '0' .. '9' ->
     let at = Json.place json in
     Json.skip json;
     Json.finish json;
     fail at "the file is no object, expected '{'"
   | _ -> Json.malformed ());
  ignore
    (Json.obj json "model"
       [| "initial_component"; "components"; "initial_node"; "initial_nodes" |] 0b11
       (function
         | 0 -> initial := name json "'initial_component'"
         | 1 -> raw := list json "'components'" (fun () -> read_component json)
         | 2 -> one := Some (name json "'initial_node'")
         | _ ->
           let at = Json.place json in
           several := Some (at, texts json "'initial_nodes'")));
  let named =
    match !one, !several with
    | _, Some (at, []) -> fail at "'initial_nodes' is empty, expected at least one name"
    | Some name, Some (_, first :: _) when name.text <> first.text ->
      fail name.at "'initial_node' is '%s', expected '%s', the first of 'initial_nodes'" name.text
        first.text
    | _, Some (_, names) -> names
    | Some name, None -> [ name ]
    | None, None -> []
  in
  Json.finish json;
  let raw = Array.of_list !raw in
  let number_of, repeated = positions (Array.map (fun c -> c.component_name) raw) in
  Option.iter (fun name -> fail name.at "duplicate component '%s'" name.text) repeated;
  let start =
    match Hashtbl.find_opt number_of !initial.text with
    | Some c -> c
    | None -> fail !initial.at "unknown initial component '%s'" !initial.text
  in
  Array.iter (check_callees number_of) raw;
  check_lists raw number_of;
  let node_positions =
    Array.map (fun c -> positions (Array.map (fun n -> n.name) c.raw_nodes)) raw
  in
  let components = Array.map (resolve number_of node_positions) raw in
  let table = ref Empty in
  Array.iteri (fun k c -> table := put (position k) c !table) components;
  let callees c = Array.map (fun b -> Hashtbl.find number_of b.callee_name.text) c.raw_boxes in
  { model =
      { components = !table; initial_component = position start;
        initial_nodes = initial_nodes raw.(start) (fst node_positions.(start)) !initial named };
    number_of; components;
    node_counts = Array.map (fun c -> Array.length c.raw_nodes) raw;
    callees = Array.map callees raw;
    hash = Sha256.hex json.hash;
    names = Array.map (fun c -> c.component_name.text) raw;
    node_names = Array.map (fun c -> Array.map (fun n -> n.name.text) c.raw_nodes) raw;
    box_names = Array.map (fun c -> Array.map (fun b -> b.box_name.text) c.raw_boxes) raw }
