/** How much text a thread remembers for each pattern, in code units: as much as a read returns. What came since the last
 * test is tested with it, however much it is. */
const REMEMBERED_TEXT = 256 * 1024;

/**
 * What runs in the thread that tests patterns. It is program text because a thread starts from text or from a file, and the
 * sources are one file when they are built and another language when they are not.
 *
 * Answers `{isReady: true, task?}` first, the thread as Linux names it (`/proc/thread-self` of proc(5)).
 * Takes `{id, pattern?, finished, open}` (a new pattern begins with no text) and answers `{id, isMatch}` or `{id, failure}`;
 * takes `{id, isOver: true}` and forgets. `workerData.began` holds when the test under way began, in nanoseconds of the
 * monotonic clock, and 0 between tests.
 */
export const THREAD_PROGRAM = `
"use strict";
const { readlinkSync } = require("node:fs");
const { parentPort, workerData } = require("node:worker_threads");
const began = new BigInt64Array(workerData.began);
const subjects = new Map();

function test({ id, pattern, finished, open }) {
  if (pattern !== undefined) subjects.set(id, { pattern, text: "" });
  const subject = subjects.get(id);
  const text = subject.text + finished;
  Atomics.store(began, 0, process.hrtime.bigint());
  try {
    return { id, isMatch: subject.pattern.test(text + open) };
  } catch (error) {
    return { id, failure: error.message };
  } finally {
    Atomics.store(began, 0, 0n);
    subject.text = text.slice(-${REMEMBERED_TEXT});
  }
}

parentPort.on("message", (message) => {
  if (message.isOver) subjects.delete(message.id);
  else parentPort.postMessage(test(message));
});
parentPort.postMessage({ isReady: true, task: ownTask() });

function ownTask() {
  try {
    return readlinkSync("/proc/thread-self");
  } catch {
    return undefined;
  }
}
`;
