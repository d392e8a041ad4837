(* verify_list FOLDER: of each line `MODEL CERTIFICATE …` of FOLDER/list, what the proved checker
   says: holds, fails or `refused LINE: WHY`. Models that follow each other are read once. *)

let () =
  let folder = Sys.argv.(1) in
  let source name = Source.loaded (Source.of_path (Filename.concat folder name)) in
  let last = ref None in
  let model name =
    match !last with
    | Some (same, model) when same = name -> model
    | _ ->
      let model = Model_reader.read (Source.input (source name)) in
      last := Some (name, model);
      model
  in
  let list = Lines.of_source (source "list") in
  let rec go () =
    match Lines.next list with
    | None -> ()
    | Some line ->
      (match String.split_on_char ' ' line with
       | name :: certificate :: _ ->
         let lines = Lines.of_source (source certificate) in
         print_endline
           (match Verify.certificate (model name) lines with
            | Verified Holds -> "holds"
            | Verified Fails -> "fails"
            | Refused (line, what) -> Printf.sprintf "refused %d: %s" line what)
       | _ -> failwith line);
      go ()
  in
  go ()
