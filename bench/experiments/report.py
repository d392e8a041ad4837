"""Tables (Markdown) and plots (gnuplot) of the experiments."""

import math
import shutil
import statistics
import subprocess
import textwrap

import figures

# Table 1 of the paper: verdict, components, then contexts and seconds of eager, ternary and lazy.
PUBLISHED = {
    "dataflow": ("fails", 3, (6, 0.01), (1, 0.01), (1, 0.01)),
    "avroraELF": ("holds", 248, (614, 4.79), (1, 0.29), (1, 0.29)),
    "avroraMedTest": ("holds", 238, (264, 1.32), (28, 0.69), (4, 0.43)),
    "avroraReg": ("holds", 173, (477, 1.77), (27, 0.56), (2, 0.32)),
    "dom2pdf": ("holds", 615, (2002, 17.64), (240, 6.93), (1, 0.79)),
    "fop2pdf": ("holds", 607, (2029, 27.67), (60, 1.42), (6, 1.23)),
}
# The plots that docs/experiments.md shows.
SHOWN = {"grid": "grid_ratio", "pushdown": "pushdown", "java": "java"}
LEAST = 1e-4  # seconds; shorter times are drawn as this


def seconds(row):
    """Of the check alone; None if it did not end."""
    return float(row["check_seconds"]) if row and row["verdict"] != "unknown" else None


def summary_table(table, keys, engines):
    lines = ["| engine | decided | out of time | out of memory | median s | mean s | longest s | contexts, median |",
             "|---|---|---|---|---|---|---|---|"]
    for engine in engines:
        rows = [table.get(key, engine) for key in keys]
        times = [seconds(row) for row in rows if seconds(row) is not None]
        contexts = [int(row["contexts"]) for row in rows if seconds(row) is not None]
        of_memory = sum(row["verdict"] == "unknown" and "memory" in row["reason"] for row in rows)
        of_time = len(rows) - len(times) - of_memory
        numbers = ((f"{statistics.median(times):.4f}", f"{statistics.mean(times):.4f}", f"{max(times):.3f}",
                    f"{statistics.median(contexts):g}") if times else ("–", "–", "–", "–"))
        lines.append(f"| `{engine}` | {len(times)} | {of_time} | {of_memory} | {' | '.join(numbers)} |")
    return "\n".join(lines)


def ratio_line(table, keys, slow, fast):
    """How much faster one engine is where both decide, as a geometric mean."""
    logs = []
    for key in keys:
        a, b = seconds(table.get(key, slow)), seconds(table.get(key, fast))
        if a is not None and b is not None:
            logs.append(math.log(max(a, LEAST) / max(b, LEAST)))
    if not logs:
        return f"`{slow}` and `{fast}` never both decide."
    text = (f"Where both decide ({len(logs)} cases), `{fast}` is {math.exp(statistics.mean(logs)):.2f} times as fast as "
            f"`{slow}` (geometric mean; the largest ratio is {math.exp(max(logs)):.1f}).")
    return textwrap.fill(text, 100)


def gnuplot(script, folder):
    path = folder / "plot.gnuplot"
    path.write_text(script, encoding="utf-8")
    subprocess.run(["gnuplot", str(path)], check=True)
    path.unlink()


def both_terminals(folder, name, width, height, body):
    return "".join(f"set terminal {terminal} size {width},{height}{font}\nset output '{folder}/{name}.{suffix}'\n{body}\n"
                   for terminal, suffix, font in (("svg", "svg", " background 'white'"), ("pngcairo", "png", "")))


def grid_data(table, keys, value):
    """Lines `i j value` with an empty line between columns, as gnuplot wants them; NaN where there is none."""
    lines, last = [], None
    for key in keys:
        i, j = key.split(",")
        if last not in (None, i):
            lines.append("")
        last = i
        number = value(key)
        lines.append(f"{i} {j} {'NaN' if number is None else number}")
    return "\n".join(lines)


def plot_grid(table, keys, options):
    def time_of(engine):
        return lambda key: (lambda t: None if t is None else max(t, LEAST))(seconds(table.get(key, engine)))

    def ratio(key):
        slow, fast = time_of("eager")(key), time_of("lazy")(key)
        return None if slow is None or fast is None else slow / fast

    script = "set datafile missing 'NaN'\nset xlabel 'RSM size i'\nset ylabel 'formula size j'\nset logscale cb\n"
    maps = [("lazy", "seconds", time_of("lazy")), ("eager", "seconds", time_of("eager")),
            ("summary", "seconds", time_of("summary")), ("ratio", "eager / lazy", ratio)]
    for name, label, value in maps:
        if all(value(key) is None for key in keys):
            continue  # an engine that was not run, or never decides
        script += f"$d << EOD\n{grid_data(table, keys, value)}\nEOD\nset title '{name}'\nset cblabel '{label}'\n"
        if name != "ratio":
            script += "set cbrange [1e-4:*]\n"
        else:
            script += "set cbrange [*:*]\n"
        # Cases that were stopped have no colour.
        script += both_terminals(options.out, f"grid_{name}", 640, 520, "plot $d using 1:2:3 with image notitle")
    gnuplot(script, options.out)


def plot_java(table, keys, engines, options):
    """Contexts of each engine, program by program."""
    lines = [f"{key} " + " ".join(table.get(key, engine)["contexts"] or "NaN" for engine in engines) for key in keys]
    block = "\n".join(lines)
    script = ("set style data histograms\nset style fill solid 0.7\nset logscale y\nset ylabel 'contexts'\n"
              f"set key left top\nset yrange [0.7:*]\n$java << EOD\n{block}\nEOD\n")
    curves = [f"$java using {i + 2}{':xtic(1)' if i == 0 else ''} title '{engine}'" for i, engine in enumerate(engines)]
    script += both_terminals(options.out, "java", 900, 520, "plot " + ", ".join(curves))
    gnuplot(script, options.out)


def plot_scatter(name, base, table, keys, engines, options):
    """The times of all engines against those of `base`."""
    script = (f"set logscale xy\nset format '10^{{%T}}'\nset xlabel '{base}, seconds'\nset ylabel 'other, seconds'\n"
              "set key left top\nset xrange [5e-5:*]\nset yrange [5e-5:*]\n")
    curves = ["x with lines lc 'grey' notitle"]
    stopped = options.timeout * 1.5
    for engine in (e for e in engines if e != base):
        points = []
        for key in keys:
            x, y = seconds(table.get(key, base)), seconds(table.get(key, engine))
            points.append(f"{stopped if x is None else max(x, LEAST)} {stopped if y is None else max(y, LEAST)}")
        block = "\n".join(points)
        data = engine.replace("-", "_").replace(":", "_")
        script += f"${data} << EOD\n{block}\nEOD\n"
        curves.append(f"${data} using 1:2 with points title '{engine}'")
    script += both_terminals(options.out, name, 760, 640, "plot " + ", ".join(curves))
    gnuplot(script, options.out)


def java_table(table, keys, engines):
    lines = ["| program | published | here | k | " + " | ".join(f"`{e}` contexts, s" for e in engines) +
             " | published eager | ternary | lazy |",
             "|---|---|---|---|" + "---|" * (len(engines) + 3)]
    for key in keys:
        rows = [table.get(key, engine) for engine in engines]
        verdicts = sorted({row["verdict"] for row in rows} - {"unknown"}) or ["unknown"]
        verdict, components, *numbers = PUBLISHED[key]
        here = "/".join(verdicts)
        cells = [f"{row['contexts']}, {float(row['check_seconds'] or 0):.3f}" +
                 (f" ({row['reason']})" if row["verdict"] == "unknown" else "") for row in rows]
        lines.append(f"| {key} | {verdict} | {here if here == verdict else f'**{here}**'} | {rows[0]['components']} "
                     f"({components}) | " + " | ".join(cells) + " | " +
                     " | ".join(f"{contexts}, {time}" for contexts, time in numbers) + " |")
    return "\n".join(lines)


def choice_table(table, keys, engines):
    """Contexts, which do not depend on the machine: their mean on the grid, and of each program."""
    programs = [key for key in keys if key in PUBLISHED]
    grid = [key for key in keys if key not in PUBLISHED]
    lines = [f"| choice | grid ({len(grid)} cases): contexts, mean | " + " | ".join(programs) + " |",
             "|---|---|" + "---|" * len(programs)]
    for engine in engines:
        numbers = [int(table.get(key, engine)["contexts"]) for key in grid if seconds(table.get(key, engine)) is not None]
        cells = [table.get(key, engine)["contexts"] for key in programs]
        lines.append(f"| `{engine.partition(':')[2]}` | {statistics.mean(numbers):.2f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def counterexample_table(refuted):
    lines = ["| program | counterexample | steps | calls of empty procedures on the way | `nestor replay` |",
             "|---|---|---|---|---|"]
    lines += [f"| {name} | `{file}` | {steps} | {empty} | {replayed} |" for name, file, steps, empty, replayed in refuted]
    return "\n".join(lines)


def keep(name, text, options):
    """In the folder of the run, and with --store for the page."""
    (options.out / f"{name}.md").write_text(text + "\n", encoding="utf-8")
    if options.store:
        figures.store_text(f"experiments_{name}", text)


def write(name, table, keys, engines, options):
    if name == "java":
        text = java_table(table, keys, engines)
    elif name == "choice":
        text = choice_table(table, keys, engines)
    else:
        text = summary_table(table, keys, engines)
        for slow, fast in (("eager", "lazy"), ("lazy", "summary")):
            if slow in engines and fast in engines:
                text += "\n\n" + ratio_line(table, keys, slow, fast)
    keep(name, text, options)
    if shutil.which("gnuplot") is None:
        print("no plots: gnuplot is not installed")
    elif name == "grid":
        plot_grid(table, keys, options)
    elif name == "java":
        plot_java(table, keys, engines, options)
    else:
        plot_scatter(name, engines[0] if name == "choice" else "lazy", table, keys, engines, options)
    if options.store and (plot := options.out / f"{SHOWN.get(name)}.png").exists():
        shutil.copy(plot, figures.ROOT / f"docs/experiments-{name}.png")
    return f"== {name}\n{text}"
