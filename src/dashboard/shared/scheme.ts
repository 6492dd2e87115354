import { computed, effect, signal } from "@preact/signals";

/** Which colours a person wants; `system`: those of the system. */
export type SchemeChoice = "system" | "light" | "dark";

const KEY = "termtopic.scheme";
const CHOICES: readonly SchemeChoice[] = ["system", "light", "dark"];

const preference = matchMedia("(prefers-color-scheme: dark)");
const prefersDark = signal(preference.matches);
preference.addEventListener("change", ({ matches }) => {
  prefersDark.value = matches;
});

/** Kept in this browser. */
export const schemeChoice = signal<SchemeChoice>(kept());

/** The colours that are shown. */
export const scheme = computed<"light" | "dark">(() => {
  const choice = schemeChoice.value;
  if (choice !== "system") return choice;
  return prefersDark.value ? "dark" : "light";
});

effect(() => {
  document.documentElement.dataset["scheme"] = scheme.value;
});

/** Goes on to the next choice. */
export function nextScheme(): void {
  const next = CHOICES[(CHOICES.indexOf(schemeChoice.value) + 1) % CHOICES.length] ?? "system";
  schemeChoice.value = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Where nothing may be kept it holds as long as the page.
  }
}

function kept(): SchemeChoice {
  try {
    const text = localStorage.getItem(KEY);
    return CHOICES.find((choice) => choice === text) ?? "system";
  } catch {
    return "system";
  }
}
