import { type Browser, chromium } from "playwright-core";

/** Debian's, as the tests have it. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
}
