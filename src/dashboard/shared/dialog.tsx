import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** It was left, by Escape too. */
  leave(): void;
}

/** Keeps the focus within, and gives it back. */
export function Dialog({ title, children, leave }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const { current } = element;
    current?.showModal();
    return () => {
      // By the time that it is taken away the person may be somewhere else already.
      const { activeElement } = document;
      const isLost = activeElement === document.body || current?.contains(activeElement) === true;
      if (isLost && before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={element} aria-labelledby="dialog-title" onClose={leave}>
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

/** Handles a form here: no page is loaded. */
export const submitted = (act: (fields: FormData) => void) => (event: SubmitEvent) => {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLFormElement) act(new FormData(event.currentTarget));
};

/** What was written in a field, without the spaces around it. */
export const fieldText = (fields: FormData, name: string): string =>
  String(fields.get(name) ?? "").trim();
