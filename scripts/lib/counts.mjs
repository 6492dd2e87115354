// Prints how many tests passed and failed, summed over the reports that vitest's JSON reporter wrote. A report
// that is not there, or a file of tests that could not be run, counts as one that failed.
import { existsSync, readFileSync } from "node:fs";

const counts = process.argv.slice(2).map(countsOf);
const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);

function countsOf(file) {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, "utf8"));
  const unrun = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((result) => result.status === "failed"),
  );
  return { passed: numPassedTests, failed: numFailedTests + unrun.length };
}
