#!/usr/bin/env node
import { endOnFault, tellFailure } from "./failure.ts";
import { endWithOutput } from "./output.ts";
import { run } from "./program.ts";

endWithOutput();
endOnFault(tellFailure);
await run(process.argv.slice(2));
