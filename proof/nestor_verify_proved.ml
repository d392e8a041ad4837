(* nestor-verify-proved MODEL CERTIFICATE: says and exits as `nestor verify` does. *)

let fail status message = prerr_endline message; exit status
let open_file path = if path = "-" then stdin else open_in_bin path

let run model_path certificate_path =
  let certificate = Lines.of_channel (open_file certificate_path) in
  let model =
    try Model_reader.read (open_file model_path)
    with Json.Error (line, column, what) ->
      fail 2 (Printf.sprintf "%s:%d:%d: error: %s" model_path line column what)
  in
  match Certificate_reader.read certificate model with
  | exception Certificate_reader.Refused (line, what) ->
    fail 1 (Printf.sprintf "%s:%d: error: %s" certificate_path line what)
  | read, verdict ->
    if not (Checker.check model.model read verdict) then
      fail 1 (Printf.sprintf "%s: error: it breaks a rule; 'nestor verify' says which" certificate_path);
    print_endline (match verdict with Checker.Holds -> "verified: holds" | Checker.Fails -> "verified: fails")

let () =
  match Sys.argv with
  | [| _; model; certificate |] ->
    if model = "-" && certificate = "-" then fail 2 "error: standard input cannot be both";
    (try run model certificate with Sys_error what -> fail 2 ("error: " ^ what))
  | _ -> fail 2 "usage: nestor-verify-proved MODEL.rsm CERTIFICATE"
