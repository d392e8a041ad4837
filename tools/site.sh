#!/bin/bash
# The pages as a site: MkDocs for docs/, Doxygen for include/nestor, pydoc's texts for the Python module.
# usage: site.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
site=$(realpath -m "$1")
sources=build/site-sources
rm -rf "$site" "$sources"
mkdir -p "$sources/reference"
cp README.md "$sources/index.md"
cp -r CHANGELOG.md CONTRIBUTING.md docs "$sources"
# What pages link to beside pages.
python3 -B test/docs/links.py . --linked | xargs -d '\n' cp -r --parents -t "$sources"

{
  echo 'PROJECT_NAME = Nestor'
  echo "PROJECT_NUMBER = $(sed -n 's/^project(nestor VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
  echo 'INPUT = include/nestor docs/cpp.md'
  echo 'USE_MDFILE_AS_MAINPAGE = docs/cpp.md'
  echo 'STRIP_FROM_PATH = include'
  echo 'PREDEFINED = NESTOR_API='
  echo 'MACRO_EXPANSION = YES'
  echo 'EXPAND_ONLY_PREDEF = YES'
  echo 'GENERATE_LATEX = NO'
  echo 'HAVE_DOT = NO'
  echo 'QUIET = YES'
  echo 'EXTRACT_ALL = YES'
  echo 'HTML_TIMESTAMP = NO'
  echo "OUTPUT_DIRECTORY = $sources/reference"
  echo 'HTML_OUTPUT = cpp'
} | doxygen - 2>&1 | { grep -v 'unable to resolve reference' || true; }

python3 -B tools/python_reference.py python/nestor/{__init__.py,_formula.py,_nestor.pyi} > "$sources/docs/python-reference.md"
mkdocs build --quiet --site-dir "$site"
echo "the site is in $site"
python3 -B test/docs/links.py . --site "$site"
