import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: process.env.TERMTOPIC_LONG === "1" ? ["test/**/*.long.ts"] : ["test/**/*.test.ts"],
    // Real servers and real processes answer within seconds; a test that needs longer says so itself.
    testTimeout: 20_000,
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 20_000,
    pool: "forks",
    maxWorkers: 2,
    // The programs under test start what $SHELL names: it is the same one on every machine, whoever runs the tests.
    env: { SHELL: "/bin/bash" },
  },
});
