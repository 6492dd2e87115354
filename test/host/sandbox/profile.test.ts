import { expect, test } from "vitest";
import { MAX_WRITE_PATHS, parseProfile } from "../../../src/host/sandbox/profile.ts";
import { SandboxRefusal } from "../../../src/host/sandbox/refusal.ts";

test.each([
  ['{"write":[],"network":false}', { write: [], network: false }],
  [
    ' { "network" : true , "write" : [ "/a" , "/b, [c" ] } ',
    { write: ["/a", "/b, [c"], network: true },
  ],
])("the profile %s is understood", (text, profile) => {
  expect(parseProfile(text)).toEqual(profile);
});

test.each([
  ["", "it is no JSON"],
  ["(version 1)(deny default)", "it is no JSON"],
  ["null", "it is null"],
  ["[]", "it is a list"],
  ["true", "it is of the type boolean"],
  ["{}", "its write is left out"],
  ['{"write":[]}', "its network is left out"],
  ['{"network":true}', "its write is left out"],
  ['{"write":"/a","network":true}', "its write is of the type string"],
  ['{"write":{"0":"/a"},"network":true}', "its write is of the type object"],
  ['{"write":null,"network":true}', "its write is null"],
  ['{"write":[],"network":"no"}', "its network is of the type string"],
  ['{"write":[],"network":0}', "its network is of the type number"],
  ['{"write":[],"network":null}', "its network is null"],
  ['{"write":[],"network":false,"read":[]}', 'it has an unknown field "read"'],
  ['{"write":[],"network":false,"__proto__":[]}', 'it has an unknown field "__proto__"'],
  ['{"write":[],"network":false,"network":true}', "it has a field twice"],
  ['{"write":["/etc"],"write":["/a"],"network":false}', "it has a field twice"],
  ['{"write":[1],"network":false}', "a path is of the type number"],
  ['{"write":[["/a"]],"network":false}', "a path is a list"],
  ['{"write":[""],"network":false}', 'the path "" is not absolute'],
  ['{"write":["a/b"],"network":false}', 'the path "a/b" is not absolute'],
  ['{"write":["~/a"],"network":false}', 'the path "~/a" is not absolute'],
  ['{"write":["/a\\u0000b"],"network":false}', "has a NUL character in it"],
  [JSON.stringify({ write: [`/${"a".repeat(4_095)}`], network: false }), "has over 4095 bytes"],
  [
    JSON.stringify({ write: Array(MAX_WRITE_PATHS + 1).fill("/a"), network: false }),
    `it names ${MAX_WRITE_PATHS + 1} paths`,
  ],
])("the profile %j is refused: %s", (text, why) => {
  expect(() => parseProfile(text)).toThrow(SandboxRefusal);
  expect(() => parseProfile(text)).toThrow(/^sandbox_profile must be \{"write".*; /);
  expect(() => parseProfile(text)).toThrow(why);
});
