import { Worker } from "node:worker_threads";
import type { Cancel, Clock } from "../../time/clock.ts";
import { THREAD_PROGRAM } from "./thread-program.ts";
import { threadTime } from "./thread-time.ts";

/** How long one test may take, in milliseconds. An honest pattern goes through all the text there is in a few. */
export const TEST_LIMIT_MS = 100;

/** How long a thread without patterns stays, in milliseconds. */
const IDLE_MS = 30_000;

/** Memory of the thread's objects, in MiB: the text of a hundred patterns and one more at work. */
const MEMORY_MIB = 256;

const NANOSECONDS_PER_MS = 1_000_000n;

/** A pattern could not be tested to the end. */
export class PatternFailed extends Error {
  override readonly name = "PatternFailed";
}

/** Where the text comes from, asked when it is the test's turn: what waits for its turn tests the newest. */
export interface Subject {
  readonly finished: number;
  since(position: number): { readonly finished: string; readonly open: string };
}

interface Answer {
  readonly isReady?: boolean;
  /** The thread, as the system names it, once it is ready. Absent where the system names none. */
  readonly task?: string;
  readonly isMatch?: boolean;
  readonly failure?: string;
}

/** A pattern that is tested again and again as its text grows. */
export class PatternTest {
  readonly id: number;
  readonly pattern: RegExp;
  readonly #thread: PatternThread;
  /** How much finished text the thread has, and which thread that is. */
  #sent = 0;
  #worker: Worker | undefined;

  constructor(id: number, pattern: RegExp, thread: PatternThread) {
    this.id = id;
    this.pattern = pattern;
    this.#thread = thread;
  }

  /** Whether it matches the text as it is when its turn comes. One at a time. Rejects with PatternFailed. */
  run(subject: Subject): Promise<boolean> {
    return this.#thread.run(this, subject);
  }

  /** What the thread has yet to be told. */
  message(worker: Worker, subject: Subject): object {
    const isNew = worker !== this.#worker;
    const { finished, open } = subject.since(isNew ? 0 : this.#sent);
    this.#worker = worker;
    this.#sent = subject.finished;
    return { id: this.id, finished, open, ...(isNew && { pattern: this.pattern }) };
  }

  /** It is not run again. */
  end(): void {
    this.#thread.forget(this, this.#worker);
  }
}

interface Job {
  readonly test: PatternTest;
  readonly subject: Subject;
  resolve(isMatch: boolean): void;
  reject(error: Error): void;
}

/**
 * Tests the patterns of strangers on a thread of its own, one after the other. One that takes longer than TEST_LIMIT_MS, or
 * more memory than there is, fails alone: the thread is ended, and the next test gets a new one. There is a thread only
 * while there are patterns, and a while longer.
 */
export class PatternThread {
  readonly #clock: Clock;
  readonly #worked: typeof threadTime;
  readonly #began = new BigInt64Array(new SharedArrayBuffer(8));
  readonly #queue: Job[] = [];
  readonly #tests = new Set<PatternTest>();
  #nextId = 1;
  #worker: Worker | undefined;
  #isReady = false;
  #task: string | undefined;
  #current: Job | undefined;
  #cancelLimit: Cancel | undefined;
  #cancelIdle: Cancel | undefined;

  /** `worked` tells how long a thread has had a processor, in milliseconds. */
  constructor(clock: Clock, worked = threadTime) {
    this.#clock = clock;
    this.#worked = worked;
  }

  /** Must be ended. */
  open(pattern: RegExp): PatternTest {
    const test = new PatternTest(this.#nextId, pattern, this);
    this.#nextId += 1;
    this.#tests.add(test);
    this.#cancelIdle?.();
    this.#cancelIdle = undefined;
    return test;
  }

  run(test: PatternTest, subject: Subject): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ test, subject, resolve, reject });
      this.#proceed();
    });
  }

  forget(test: PatternTest, worker: Worker | undefined): void {
    if (!this.#tests.delete(test)) return;
    const at = this.#queue.findIndex((job) => job.test === test);
    if (at >= 0) this.#queue.splice(at, 1)[0]?.reject(new PatternFailed("The wait is over"));
    if (worker !== undefined && worker === this.#worker) {
      worker.postMessage({ id: test.id, isOver: true });
    }
    if (this.#tests.size === 0)
      this.#cancelIdle = this.#clock.schedule(IDLE_MS, () => this.close());
  }

  /** Ends the thread. Tests under way fail; later ones start a new one. */
  close(): void {
    this.#cancelIdle?.();
    this.#replace("The host stops testing patterns");
    for (const job of this.#queue.splice(0)) job.reject(new PatternFailed("The host stops"));
  }

  #proceed(): void {
    if (this.#current !== undefined || this.#queue.length === 0) return;
    const worker = this.#worker ?? this.#start();
    if (!this.#isReady) return;
    const job = this.#queue.shift();
    if (job === undefined) return;
    this.#current = job;
    Atomics.store(this.#began, 0, 0n);
    worker.postMessage(job.test.message(worker, job.subject));
    this.#limit(TEST_LIMIT_MS);
  }

  #start(): Worker {
    const worker = new Worker(THREAD_PROGRAM, {
      eval: true,
      name: "termtopic patterns",
      workerData: { began: this.#began.buffer },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
      // It needs nothing of what the host was started with.
      env: {},
      execArgv: [],
    });
    worker.unref();
    worker.on("message", (answer: Answer) => {
      if (worker === this.#worker) this.#take(answer);
    });
    worker.on("error", (error) => {
      if (worker === this.#worker)
        this.#replace(`\`pattern\` could not be tested: ${error.message}`);
    });
    worker.on("exit", () => {
      if (worker === this.#worker) this.#replace("`pattern` could not be tested: its thread ended");
    });
    this.#worker = worker;
    this.#isReady = false;
    return worker;
  }

  #take({ isReady, task, isMatch, failure }: Answer): void {
    if (isReady === true) {
      this.#isReady = true;
      this.#task = task;
      this.#proceed();
      return;
    }
    const job = this.#finish();
    if (failure !== undefined) job?.reject(new PatternFailed(`\`pattern\` failed: ${failure}`));
    else job?.resolve(isMatch === true);
    this.#proceed();
  }

  /** The time that counts is that of the test itself: a thread may get its turn late. One that is not done by then gets as
   * much time again on a processor, of which a busy machine may have given it little: `before` is what it had had. */
  #limit(ms: number, before?: number): void {
    this.#cancelLimit = this.#clock.schedule(ms, () => {
      const began = Atomics.load(this.#began, 0);
      const taken =
        began === 0n ? 0 : Number((process.hrtime.bigint() - began) / NANOSECONDS_PER_MS);
      if (taken < TEST_LIMIT_MS) {
        this.#limit(TEST_LIMIT_MS - taken);
        return;
      }
      const worked = this.#worked(this.#task);
      const left = worked === undefined ? 0 : TEST_LIMIT_MS - (worked - (before ?? worked));
      if (left > 0) {
        this.#limit(left, before ?? worked);
        return;
      }
      this.#replace(
        `\`pattern\` must be tested within ${TEST_LIMIT_MS} ms, and was not: make it simpler, nested repetitions are slow`,
      );
    });
  }

  #finish(): Job | undefined {
    const job = this.#current;
    this.#current = undefined;
    this.#cancelLimit?.();
    this.#cancelLimit = undefined;
    return job;
  }

  #replace(why: string): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#isReady = false;
    this.#finish()?.reject(new PatternFailed(why));
    this.#proceed();
  }
}
