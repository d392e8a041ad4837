(* nestor-verify-proved [-f FORMULA] MODEL CERTIFICATE: says and exits as `nestor verify` does. *)

let fail status where what = prerr_endline (where ^ "error: " ^ what); exit status

let misuse what =
  prerr_endline ("error: " ^ what);
  prerr_endline "'nestor --help' and 'nestor COMMAND --help' tell what there is";
  exit 2

let help =
  {|Check a certificate, the proof of a verdict, by a checker that is proved
Usage: nestor-verify-proved [OPTIONS] MODEL CERTIFICATE

Operands:
  MODEL                   The model, in RSM JSON; '-' is standard input
  CERTIFICATE             What 'nestor check --certificate' wrote, compressed or not; '-' is standard input

Options:
  -h, --help              This text
  -f,--formula FORMULA    The formula that the certificate must be about
|}

let parse text =
  try Formula_parser.parse text
  with Formula_parser.Error (at, what) ->
    let line, column = Json_syntax.locate text at in
    fail 2 (Printf.sprintf "<formula>:%d:%d: " line column) what

let run formula model_path certificate_path =
  let formula = Option.map parse formula in
  let certificate = Source.of_path certificate_path in
  let source = Source.of_path model_path in
  let refuse unexpected =
    let line, column, what = Json_syntax.explain (Source.content source) unexpected in
    fail 2 (Printf.sprintf "%s:%d:%d: " source.name line column) what
  in
  match Model_reader.read (Source.input source) with
  | exception Json.Malformed -> refuse None
  | exception Json.Unexpected (at, what) -> refuse (Some (at, what))
  | model ->
    match Verify.certificate ?formula model (Lines.of_source certificate) with
    | Verified Holds -> print_endline "verified: holds"
    | Verified Fails -> print_endline "verified: fails"
    | Refused (line, what) ->
      let line = if line = 0 then "" else Printf.sprintf "%d:" line in
      fail 1 (Printf.sprintf "%s:%s " certificate.name line) what

(* Formulas and operands, in their order. *)
let rec arguments formulas operands = function
  | [] -> List.rev formulas, List.rev operands
  | ("-h" | "--help") :: _ -> print_string help; exit 0
  | [ ("-f" | "--formula") ] -> misuse "--formula: 1 required TEXT missing"
  | ("-f" | "--formula") :: formula :: rest -> arguments (formula :: formulas) operands rest
  | argument :: rest when String.starts_with ~prefix:"--formula=" argument ->
    let length = String.length "--formula=" in
    let formula = String.sub argument length (String.length argument - length) in
    arguments (formula :: formulas) operands rest
  | argument :: _ when String.length argument > 1 && argument.[0] = '-' ->
    misuse ("the following argument was not expected: " ^ argument)
  | operand :: rest -> arguments formulas (operand :: operands) rest

let () =
  match arguments [] [] (List.tl (Array.to_list Sys.argv)) with
  | _, [] -> misuse "MODEL is required"
  | _, [ _ ] -> misuse "CERTIFICATE is required"
  | _, _ :: _ :: more :: _ -> misuse ("the following argument was not expected: " ^ more)
  | _, [ "-"; "-" ] -> misuse "only one input can be standard input, '-' is given twice"
  | _ :: _ :: _, _ -> misuse "a certificate is about one formula, several are given"
  | formulas, [ model; certificate ] ->
    let formula = match formulas with [] -> None | formula :: _ -> Some formula in
    (try run formula model certificate with Source.Unreadable what -> fail 2 "" what)
