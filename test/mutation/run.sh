#!/usr/bin/env bash
# test/mutation/run.sh FOLDER…: mutates a sample of each folder of src in a copy, so that Stryker is no dependency of ours,
# and leaves its reports in the copy. Survivors are played again, each by itself, and those that survive that are printed.
# SAMPLE (200) and SEED (1) are its size and how it is drawn.
set -eu
cd "$(dirname "$0")/../.."

copy=${COPY:-$(mktemp -d)}
git ls-files -z | xargs -0 cp --parents -t "$copy"
cp -r node_modules "$copy"
cd "$copy"
npm install --no-save --ignore-scripts --no-audit --no-fund @stryker-mutator/core@9.6.1 @stryker-mutator/vitest-runner@9.6.1
for folder in "$@"; do
  FOLDER=$folder nice npx stryker run test/mutation/stryker.config.mjs
  nice node test/mutation/again.mjs "reports/$folder.json"
done
printf 'Reports: %s/reports\n' "$copy"
