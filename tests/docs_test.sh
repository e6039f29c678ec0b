#!/usr/bin/env bash
# docs.sh and words.sh find what they are there for: a small tree with one mistake of each kind, and what must be said of it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{tests,scripts,include,src/base,docs}
cp "$here/docs.sh" "$here/words.sh" "$tree/tests/"
cp "$here/../scripts/retired_words.txt" "$tree/scripts/"
cat >"$tree/src/base/result.h" <<'END'
int gangway, SplitModes;  // neither is retired
int make_gang;
struct kCellParted {};
// Nobody is here, and the kernel is vectorised.
END
cat >"$tree/docs/other.md" <<'END'
# Other
## A heading, with `code`
END
cat >"$tree/README.md" <<'END'
# Title
[right](docs/other.md#a-heading-with-code) [wrong](docs/none.md) [anchor](docs/other.md#none) [web](https://example.org/none)
`src/base/result.h` `result.h` `src/base/{result,none}.h` `src/NAME/result.h` `none.inc` `cuda_runtime.h` `kernel.cu`

| a | b |
|---|---|
| `x \| y` | right |
| one |

| alone |

    [in a block](docs/none.md) `src/none.h`

1. In a list:

        nobody
END

said=$("$tree/tests/docs.sh" || true)
wanted='README.md:2: the link leads nowhere: docs/none.md
README.md:2: no such heading: docs/other.md#none
README.md:3: there is no file `src/base/none.h`
README.md:3: there is no file `none.inc`
README.md:8: 1 columns, the head has 2
README.md:10: a row that stands alone
README.md:16: retired: nobody; write: no thread, nothing; or the passive'
differs=0
diff <(sort <<<"$wanted") <(grep '^README' <<<"$said" | sort) || differs=1

said=$("$tree/tests/words.sh" src || true)
diff <(printf '%s\n' src/base/result.h:{2,3,4}) <(grep -o '^src[^:]*:[0-9]*' <<<"$said" | sort) || differs=1
grep -q '^3 in all: 1 files' <<<"$said" || { echo "$said"; differs=1; }

# ... and nothing where nothing is wrong.
printf '# Title\n`src/base/result.h`\n' >"$tree/README.md"
printf '// It is right.\n' >"$tree/src/base/result.h"
"$tree/tests/docs.sh" && "$tree/tests/words.sh" || differs=1
exit $differs
