"""What a campaign found, as text and as a page."""

import html as escapes


def duration(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def warnings_of(row):
    """By rule, over all programs of the package."""
    counts = {}
    for program in row["programs"]:
        for rule, count in program["warnings"].items():
            counts[rule] = counts.get(rule, 0) + count
    return counts


def checked(row):
    return sum(1 for program in row["programs"] if program["status"] in ("ok", "unknown"))


def counted(number, what):
    return f"{number} {what}{'' if number == 1 else 's'}"


def line(row):
    """One row for the progress."""
    seconds = ", ".join(f"{step} {duration(time)}" for step, time in row["seconds"].items() if step != "all")
    if row["status"] != "ok" and not row["programs"]:
        return f"{row['package']}: {row['status']}: {row['reason']}"
    found = sum(warnings_of(row).values())
    end = f"; {row['status']}: {row['reason']}" if row["status"] != "ok" else ""
    return f"{row['package']}: {counted(checked(row), 'program')}, {counted(found, 'warning')} ({seconds}){end}"


def totals(rows, total):
    by_status = {}
    for row in rows:
        by_status[row["status"]] = by_status.get(row["status"], 0) + 1
    by_rule = {}
    packages_by_rule = {}
    for row in rows:
        for rule, count in warnings_of(row).items():
            by_rule[rule] = by_rule.get(rule, 0) + count
            packages_by_rule[rule] = packages_by_rule.get(rule, 0) + 1
    rules = sorted(by_rule, key=lambda rule: (-by_rule[rule], rule))
    status = ", ".join(f"{count} {name}" for name, count in sorted(by_status.items(), key=lambda item: (item[0] != "ok", item)))
    head = (f"{len(rows)} of {counted(total, 'package')}" + (f": {status}" if rows else "") +
            f"; {counted(sum(map(checked, rows)), 'program')} checked, {counted(sum(by_rule.values()), 'warning')}")
    return head, rules, by_rule, packages_by_rule


def text(version, rows, total):
    head, rules, by_rule, packages_by_rule = totals(rows, total)
    out = [f"{version}: {head}", "", f"{'rule':<32} {'warnings':>8} {'packages':>8}"]
    out += [f"{rule:<32} {by_rule[rule]:>8} {packages_by_rule[rule]:>8}" for rule in rules]
    out += ["", f"{'package':<20} {'version':<24} {'programs':>8} {'warnings':>8} {'seconds':>8} {'MB':>6}  status"]
    for row in rows:
        status = row["status"] + (f": {row['reason']}" if row.get("reason") else "")
        memory = max((program.get("megabytes", 0) for program in row["programs"]), default=0)
        out.append(f"{row['package']:<20} {row.get('version', ''):<24} {checked(row):>8} {sum(warnings_of(row).values()):>8} "
                   f"{row['seconds']['all']:>8.1f} {memory:>6}  {status}")
    out += ["", "warnings by package and rule:"]
    for row in rows:
        counts = warnings_of(row)
        if counts:
            out.append(f"{row['package']:<20} " + ", ".join(f"{rule} {counts[rule]}" for rule in rules if rule in counts))
    return "\n".join(out) + "\n"


STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:2em;color:#222}
table{border-collapse:collapse;margin:1em 0}th,td{padding:.2em .6em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}tr.bad td{background:#fdf3f0}thead th{position:sticky;top:0;background:#fff}
th.r{writing-mode:vertical-rl;transform:rotate(180deg);font-weight:normal}small{color:#666}"""


def table(head, body):
    return "<table><thead><tr>" + "".join(head) + "</tr></thead><tbody>\n" + "\n".join(body) + "\n</tbody></table>\n"


def html(version, rows, total):
    head, rules, by_rule, packages_by_rule = totals(rows, total)
    def cell(value, kind=""):
        return f"<td{kind}>{escapes.escape(str(value))}</td>"

    number = ' class="n"'
    of_rules = [f"<tr>{cell(rule)}{cell(by_rule[rule], number)}{cell(packages_by_rule[rule], number)}</tr>" for rule in rules]
    of_packages = []
    for row in rows:
        counts = warnings_of(row)
        bad = ' class="bad"' if row["status"] != "ok" else ""
        status = row["status"] + (f": {row['reason']}" if row.get("reason") else "")
        reports = " ".join(f'<a href="reports/{escapes.escape(row["package"])}/{escapes.escape(program["program"])}.json">'
                           f'{escapes.escape(program["program"])}</a>'
                           for program in row["programs"] if program["status"] in ("ok", "unknown"))
        of_packages.append(
            f"<tr{bad}>{cell(row['package'])}{cell(row.get('version', ''))}{cell(sum(counts.values()), number)}"
            + "".join(cell(counts.get(rule, ""), number) for rule in rules)
            + f"{cell(round(row['seconds']['all']), number)}{cell(status)}<td><small>{reports}</small></td></tr>")
    heads = (["<th>package</th>", "<th>version</th>", '<th class="r">all</th>']
             + [f'<th class="r">{escapes.escape(rule)}</th>' for rule in rules]
             + ['<th class="n">seconds</th>', "<th>status</th>", "<th>reports</th>"])
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Nestor: a campaign</title>\n<style>{STYLE}</style>'
            f"</head><body>\n<h1>Warnings by rule and package</h1>\n<p>{escapes.escape(version)}: {escapes.escape(head)}</p>\n"
            + table(["<th>rule</th>", '<th class="n">warnings</th>', '<th class="n">packages</th>'], of_rules)
            + table(heads, of_packages) + "</body></html>\n")
