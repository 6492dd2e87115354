import { expect, test } from "vitest";
import { asksForLink, linkTarget } from "../../../src/dashboard/terminal/links.ts";
import { placeIn } from "../../../src/dashboard/terminal/page-id.ts";

test.each([
  ["https://example.org/a?b#c", "https://example.org/a?b#c"],
  ["http://127.0.0.1:3000", "http://127.0.0.1:3000/"],
  ["mailto:ada@example.org", "mailto:ada@example.org"],
  ["javascript:alert(1)", undefined],
  ["data:text/html,x", undefined],
  ["file:///etc/passwd", undefined],
  ["ssh://host", undefined],
  ["no link", undefined],
])("a link that a program prints leads to the web or nowhere: %s", (text, target) => {
  expect(linkTarget(text)).toBe(target);
});

test("a bare click follows no link", () => {
  const click = (more: object) =>
    asksForLink({ ctrlKey: false, metaKey: false, ...more } as MouseEvent);
  expect(click({})).toBe(false);
  expect(click({ ctrlKey: true })).toBe(true);
  expect(click({ metaKey: true })).toBe(true);
});

test.each([
  ["/terminals/pty%3Aa-b", "pty:a-b"],
  ["/prefix/terminals/tmux%3A%252Ftmp%252Fs%401.2%2F3", "tmux:%2Ftmp%2Fs@1.2/3"],
  ["/terminals/", undefined],
  ["/terminals/%", undefined],
  ["/terminals/nonsense", undefined],
  ["/terminals/pty%3A", undefined],
])("an address names a terminal or none: %s", (path, id) => {
  expect(placeIn({ pathname: path, search: "" })?.id).toBe(id);
});

test.each([
  ["", { id: "pty:a" }],
  ["?other=1", { id: "pty:a" }],
  [`?instance=${"a".repeat(32)}`, { id: "pty:a", instance: "a".repeat(32) }],
  ["?instance=", undefined],
  ["?instance=atlas", undefined],
])("an address names whose terminal it is, or none: %s", (search, place) => {
  expect(placeIn({ pathname: "/terminals/pty%3Aa", search })).toEqual(place);
});
