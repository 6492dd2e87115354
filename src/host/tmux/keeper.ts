import { KEEPER_ARGUMENT } from "../../inventory/keeper.ts";
import { FOLDER_VARIABLE } from "./environment.ts";
import { LAUNCH, LOGS, PART } from "./places.ts";

/** The process that tmux starts in a pane, and that starts the program. tmux closes a terminal as soon as its own child has
 * ended, with what is still in the kernel: on a busy machine the last output of one program in seven was lost so. When
 * the program has ended, its keeper notes how, writes a mark to the terminal and stays until that is in the log, with all
 * output in front of it; then it ends as the program did. The mark is none of the output: readers stop at it. A hang-up is
 * passed on where there is perl. */
export const KEEPER_FILE = "keeper";

/** An operating system command of a number that no terminal knows. */
export const markBytes = (mark: string): Buffer => Buffer.from(`\x1b]7773;${mark}\x1b\\`);

const SIGNALS = "HUP INT QUIT TERM TSTP TTIN TTOU USR1 USR2 PIPE ALRM";

/** How long the mark may take, in milliseconds, and how often that is looked at. */
const MARK_MS = 4_000;
const LOOK_MS = 5;
const SLOW_LOOK_MS = 20;

/** How far in front of the end the mark is looked for, in bytes: others may write after it. */
const TAIL_BYTES = 65_536;

/** perl tells an end by a signal from a code above 128, which a shell does not. */
const IN_PERL = `
open my $file, "<", "mark" or exit 126;
chomp(my $mark = <$file>);
my @signals = qw(${SIGNALS});
$SIG{$_} = "IGNORE" for @signals;
my $program = fork;
exit 126 unless defined $program;
if (!$program) {
  $SIG{$_} = "DEFAULT" for @signals;
  exec "sh", "${LAUNCH}";
  exit 126;
}
$SIG{HUP} = sub { kill "HUP", $program };
1 while waitpid($program, 0) < 0 && $!{EINTR};
my $how = $?;
$SIG{HUP} = "IGNORE";
if (open my $note, ">", "how") {
  print $note $how & 127 ? ":" . ($how & 127) : ($how >> 8) . ":";
  close $note;
}
syswrite STDOUT, "\\e]7773;$mark\\e\\\\";
sub isThere {
  opendir my $folder, "." or return 1;
  my ($last) = sort { $b <=> $a } map { /^\\Q${PART}\\E(\\d+)$/ ? $1 : () } readdir $folder;
  open my $part, "<", "${PART}" . ($last // 0) or return 0;
  my $size = -s $part;
  seek $part, $size > ${TAIL_BYTES} ? $size - ${TAIL_BYTES} : 0, 0;
  read $part, my $tail, ${TAIL_BYTES};
  return index($tail, $mark) >= 0;
}
for (1 .. ${MARK_MS / LOOK_MS}) {
  last if isThere();
  select undef, undef, undef, ${LOOK_MS / 1000};
}
exit $how >> 8 unless $how & 127;
$SIG{$_} = "DEFAULT" for @signals;
exec "sh", "-c", "ulimit -c 0; kill -" . ($how & 127) . " \\$\\$";
`;

/** Argument: the session. */
export const KEEPER_SCRIPT = `cd "$${FOLDER_VARIABLE}/${LOGS}/$1" || exit 126
if command -v perl >/dev/null; then
  exec perl -MErrno -e '${IN_PERL}' ${KEEPER_ARGUMENT}
fi
read -r mark <mark
trap '' ${SIGNALS}
(trap - ${SIGNALS}; exec sh ${LAUNCH})
how=$?
if [ "$how" -gt 128 ]; then echo ":$((how - 128))"; else echo "$how:"; fi >how
printf '\\033]7773;%s\\033\\\\' "$mark"
there() {
  last=$(ls | sed -n 's/^out\\.\\([0-9]*\\)$/\\1/p' | sort -n | tail -n 1)
  tail -c ${TAIL_BYTES} "${PART}$last" | grep -q -F "$mark"
}
tries=0
while [ "$tries" -lt ${MARK_MS / SLOW_LOOK_MS} ] && ! there; do
  tries=$((tries + 1))
  sleep ${SLOW_LOOK_MS / 1000}
done
if [ "$how" -gt 128 ] && kill -l "$how" >/dev/null 2>&1; then
  trap - ${SIGNALS}
  ulimit -c 0
  kill "-$((how - 128))" $$
fi
exit "$how"
`;
