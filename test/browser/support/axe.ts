import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds wrong with a page. The page's policy lets no script in, so that it is put in by the debugger. */
export async function axeFaults(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return result.value as unknown;
  };
  await evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ["violations"] });
  const violations = (await evaluate(
    `axe.run(${options}).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  await session.detach();
  return violations.map(({ id, nodes }) => {
    const [first] = nodes;
    return `${id} (${nodes.length}): ${first?.html.slice(0, 200)} ${first?.failureSummary ?? ""}`;
  });
}
