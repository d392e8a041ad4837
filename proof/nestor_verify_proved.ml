(* nestor-verify-proved MODEL CERTIFICATE: says and exits as `nestor verify` does. *)

let place path line = if line = 0 then path else Printf.sprintf "%s:%d" path line
let fail status where what = prerr_endline (where ^ "error: " ^ what); exit status
let open_file path = if path = "-" then stdin else open_in_bin path

let run model_path certificate_path =
  let lines = Lines.of_channel (open_file certificate_path) in
  match Model_reader.read (open_file model_path) with
  | exception Json.Error (line, column, what) ->
    let where = if line = 0 then model_path else Printf.sprintf "%s:%d:%d" model_path line column in
    fail 2 (where ^ ": ") what
  | model ->
    match Verify.certificate model lines with
    | Verified Holds -> print_endline "verified: holds"
    | Verified Fails -> print_endline "verified: fails"
    | Refused (line, what) -> fail 1 (place certificate_path line ^ ": ") what

let () =
  match Sys.argv with
  | [| _; "-"; "-" |] -> fail 2 "" "standard input cannot be both the model and the certificate"
  | [| _; model; certificate |] ->
    (try run model certificate with Sys_error what -> fail 2 "" what)
  | _ -> prerr_endline "usage: nestor-verify-proved MODEL.rsm CERTIFICATE"; exit 2
