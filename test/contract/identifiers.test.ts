import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Endpoint, isValid, TerminalGateway, TerminalId, terminalUrl } from "../../src/index.ts";

describe("an endpoint", () => {
  test("is a URL that the platform's own parser spells in the same way", () => {
    const host = fc.constantFrom("atlas", "atlas.example", "127.0.0.1", "[::1]", "a-b.c0");
    const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
    const path = fc.constantFrom("/", "/termtopic/", "/a/b-c/d_e/");
    const scheme = fc.constantFrom("http", "https");
    fc.assert(
      fc.property(scheme, host, port, path, (scheme, host, port, path) => {
        const url = `${scheme}://${host}${port === undefined ? "" : `:${port}`}${path}`;
        // The parser drops a scheme's own port, which is what makes that spelling a second one.
        expect(isValid(Endpoint, url)).toBe(new URL(url).href === url);
      }),
      { numRuns: 2_000 },
    );
  });

  test("is judged in time linear in its length, however it is made", () => {
    const before = performance.now();
    for (const text of ["a-", "a.", "[:", "/", "a"]) {
      isValid(Endpoint, `http://${text.repeat(200_000)}!`);
    }
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});

describe("terminalUrl", () => {
  const gateway = "http://127.0.0.1:43690";

  test("appends the handle as one percent-encoded segment", () => {
    expect(terminalUrl(gateway, "hyoui:%17")).toBe(`${gateway}/sessions/%2517`);
    expect(terminalUrl(gateway, "hyoui:a/b?c#d")).toBe(`${gateway}/sessions/a%2Fb%3Fc%23d`);
    expect(terminalUrl(gateway, "hyoui:端末")).toBe(`${gateway}/sessions/%E7%AB%AF%E6%9C%AB`);
  });

  test("cuts the id at its first colon", () => {
    expect(terminalUrl(gateway, "hyoui:a:b")).toBe(`${gateway}/sessions/a%3Ab`);
  });

  test("keeps a gateway's path", () => {
    expect(terminalUrl("https://atlas.example/hyoui", "hyoui:x")).toBe(
      "https://atlas.example/hyoui/sessions/x",
    );
  });

  test.each(["tmux:default@1.2/3", "pty:1", "hyoui", "hyoui:", ":x", "", "hyoui:\ud800"])(
    "gives no address for %j",
    (id) => {
      expect(terminalUrl(gateway, id)).toBeUndefined();
    },
  );

  test("stays below the gateway, whatever the handle, and gives it back when decoded once", () => {
    const handle = fc.string({ unit: "binary", minLength: 1 }).filter((text) => !/\s/.test(text));
    fc.assert(
      fc.property(handle, (handle) => {
        const id = `hyoui:${handle}`;
        fc.pre(isValid(TerminalId, id) && isValid(TerminalGateway, gateway));
        const segment = terminalUrl(gateway, id)?.slice(`${gateway}/sessions/`.length) ?? "";
        expect(segment).not.toMatch(/[/?#]/);
        expect(decodeURIComponent(segment)).toBe(handle);
      }),
    );
  });
});
