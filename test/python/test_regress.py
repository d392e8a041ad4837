"""The cases of test/regress through the module: every model, every formula, every engine."""

import importlib.util
import pathlib

import nestor
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
specification = importlib.util.spec_from_file_location("regress", ROOT / "test/regress/run.py")
regress = importlib.util.module_from_spec(specification)
specification.loader.exec_module(regress)
MODELS = sorted(path for folder in ("test/regress", "examples") for path in (ROOT / folder).rglob("*")
                if path.suffix in regress.MODELS)
SETTINGS = {"--dead-ends": "dead_ends", "--max-states": "max_states", "--timeout": "timeout", "--steps": "steps"}


def settings_of(arguments):
    settings = {}
    for argument in arguments:
        name, _, value = argument.partition("=")
        if name not in SETTINGS:
            pytest.skip(f"{argument} is of the command line only")
        settings[SETTINGS[name]] = value if name == "--dead-ends" else int(value)
    return settings


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_case(path):
    case = regress.Case(path)
    settings = settings_of(case.arguments)
    model = nestor.Model.read(str(path), dead_ends=settings.get("dead_ends", ""))
    formulas = nestor.read_formulas(str(case.formulas[0])) if case.formulas[:1] == [case.place] else [
        nestor.Formula(text) for text in case.formulas[1::2]]
    formulas = formulas or model.properties
    assert len(formulas) == len(case.expected)
    for engine in [*nestor.engines(), ""]:  # "": what users get
        results = model.check(formulas, engine=engine, **settings)
        if engine not in ("", "reference") and all(result.verdict == "unknown" for result in results):
            continue  # it cannot handle the model
        for result, row in zip(results, case.expected):
            if row["engines"] is None or engine in row["engines"]:
                assert result.verdict == row["verdict"], (engine, result)
                if result.holds is not None and result.witness is not None:
                    assert nestor.replay(model, result.formula, result.witness) in ("accepted", "unknown")
