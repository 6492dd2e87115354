import { expect, test } from "vitest";
import type { Program } from "../support.ts";
import { ATTRIBUTES, HostPlace, isAsked } from "./support.ts";

const COLOURS = "\x1b]10;rgb:1111/2222/3333\x1b\\\x1b]11;rgb:ffff/fefe/fdfd\x1b\\";

/** A program that asks for the background, and shows what it is told. */
const ASKS = String.raw`stty raw -echo; printf "\033]11;?\033\\"; head -c 25 | cat -v; cat`;

/** What it shows of these colours. */
const ANSWERED = "^[]11;rgb:ffff/fefe/fdfd^[\\";

const answer = (program: Program, text: string) => program.child.stdin?.write(text);

/** Then reads a line. What was left in the terminal would be in it. */
const READS = 'echo "code $?"; IFS= read -r line; printf "<%s>" "$line" | cat -v; echo';

const LEAVE = "\x1dd";

test("a program that asks for colours is told those of the terminal that opened it", async () => {
  const place = await HostPlace.running();
  const opened = place.asked(["open", "--exec", "--", "sh", "-c", ASKS], READS);
  await opened.until(() => isAsked(opened));
  answer(opened, `${COLOURS}${ATTRIBUTES}`);
  await opened.until(() => opened.stdout.includes(ANSWERED) || undefined);
  answer(opened, LEAVE);
  await opened.line(/code 0/);
  answer(opened, "x\n");
  await opened.line(/^<x>/);
});

test("what is typed before the terminal has answered is typed into what it shows, and nothing else is", async () => {
  const place = await HostPlace.running();
  const opened = place.asked(["open", "--exec", "--", "sh", "-c", "stty raw -echo; cat -v"], READS);
  await opened.until(() => isAsked(opened));
  answer(opened, `one \x1b[A${COLOURS.slice(0, 30)}`);
  answer(opened, `${COLOURS.slice(30)}two${ATTRIBUTES} three`);
  await opened.until(() => opened.stdout.includes("one ^[[Atwo three") || undefined);
  answer(opened, LEAVE);
  await opened.line(/code 0/);
  answer(opened, "x\n");
  await opened.line(/^<x>/);
});

test("a terminal that answers late is waited for neither at the beginning nor with its colours", async () => {
  const place = await HostPlace.running();
  const first = [
    "open",
    "--name",
    "a",
    "--exec",
    "--",
    "sh",
    "-c",
    "stty raw -echo; echo begun; cat -v",
  ];
  const opened = place.asked(first, READS);
  await opened.until(() => opened.stdout.includes("begun") || undefined);
  answer(opened, `p${COLOURS}q${ATTRIBUTES}r`);
  await opened.until(() => opened.stdout.includes("pqr") || undefined);
  await place.print("open", "--name", "b", "--exec", "--", "sh", "-c", ASKS);
  await place.print("wait", "b", "--pattern", "fdfd");
  expect(await place.print("capture", "b")).toContain(ANSWERED);
  answer(opened, LEAVE);
  await opened.line(/code 0/);
});

test("an answer that comes when the terminal was left already is left to nobody", async () => {
  const place = await HostPlace.running();
  await place.print("open", "--name", "a", "--exec", "--", "sh", "-c", "echo begun; cat");
  const attached = place.asked(["attach", "a"], READS);
  await attached.until(() => attached.stdout.includes("begun") || undefined);
  answer(attached, LEAVE);
  answer(attached, `${COLOURS}${ATTRIBUTES}`);
  await attached.line(/code 0/);
  answer(attached, "x\n");
  await attached.line(/^<x>/);
});

test("a look that is read-only asks nothing", async () => {
  const place = await HostPlace.running();
  await place.print("open", "--name", "a", "--exec", "--", "sh", "-c", "echo begun; cat");
  const attached = place.asked(["attach", "a", "--read-only"], READS);
  await attached.until(() => attached.stdout.includes("begun") || undefined);
  answer(attached, LEAVE);
  await attached.line(/code 0/);
  expect(isAsked(attached)).toBeUndefined();
});

test("a terminal that cannot be opened leaves the one as it was that it was to be shown on", async () => {
  const place = await HostPlace.running();
  const opened = place.shown("open", "--exec", "--", "/no/such/program");
  await opened.line(/termtopic: .*\/no\/such\/program/);
  await opened.line(/code 1/);
  await opened.line(/ icanon .* echo /);
  expect(opened.stdout).not.toContain("\x1b[!p");
});
