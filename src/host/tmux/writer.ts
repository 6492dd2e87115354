import { FOLDER_VARIABLE } from "./environment.ts";
import { LOGS, PART } from "./places.ts";

/** How large a part of the output is at least, and how much more one can get, in bytes. */
export const PART_BYTES = 1024 * 1024;
export const MORE_BYTES = 2 * 1024 * 1024;

/** How far a host may be behind the output of a flood before it misses some of it, in bytes, beside what is kept for
 * those who come later. */
export const LAG_BYTES = 8 * 1024 * 1024;

/** Keeps what a pane writes, which is its input, in files that are called by the offset of their first byte. It is a shell
 * script because it has to outlive the host, and every system with tmux has a shell. Old parts go as new ones come, so
 * that nobody has to look after it. \`dd\` writes each piece as it reads it and ends after so many pieces; only then is the
 * size looked at. What cannot be written, because no space is left, is taken and lost: tmux would keep it in its memory.
 *
 * Arguments: the session, how many bytes are kept. */
export const WRITER_SCRIPT = `cd "$${FOLDER_VARIABLE}/${LOGS}/$1" || exit 1
umask 077
keep=$2
echo "$$" >writer
rm -f end
set -- $(ls | sed -n 's/^${PART.replace(".", "\\.")}\\([0-9]*\\)$/\\1/p' | sort -n)
[ "$#" -gt 0 ] || set -- 0
for start; do :; done
size() { wc -c <"${PART}$start" 2>/dev/null || echo 0; }
at=$((start + $(size)))
while :; do
  dd bs=4096 count=512 >>"${PART}$start" 2>/dev/null
  status=$?
  now=$((start + $(size)))
  if [ "$now" -eq "$at" ]; then
    [ "$status" -ne 0 ] || break
    [ -e writer ] || exit 1
    [ "$(dd bs=16384 count=1 2>/dev/null | wc -c)" -gt 0 ] || break
  fi
  at=$now
  [ $((at - start)) -ge ${PART_BYTES} ] || continue
  start=$at
  set -- "$@" "$start"
  while [ "$#" -gt 2 ] && [ $((at - $2)) -ge "$keep" ]; do
    rm -f "${PART}$1"
    shift
  done
done
echo >end
`;

/** What tmux runs it with: a command for a shell, in which tmux expands \`#\` and \`%\`. */
export const writerCommand = (id: string, historyBytes: number): string =>
  `exec sh "$${FOLDER_VARIABLE}/${WRITER_FILE}" ${id} ${historyBytes + LAG_BYTES}`;

export const WRITER_FILE = "writer";
