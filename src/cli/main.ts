#!/usr/bin/env node
import { endWithOutput } from "./output.ts";
import { run } from "./program.ts";

endWithOutput();
await run(process.argv.slice(2));
