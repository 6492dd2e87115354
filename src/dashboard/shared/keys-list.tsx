/** Keys and what they do, and the way out of the dialog that lists them. */
export function KeysList({
  keys,
}: {
  readonly keys: readonly { readonly shown: string; readonly does: string }[];
}) {
  return (
    <>
      <dl class="keys">
        {keys.map(({ shown, does }) => (
          <div key={shown}>
            <dt>
              <kbd>{shown}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog" class="dialog-buttons">
        <button type="submit">Done</button>
      </form>
    </>
  );
}
