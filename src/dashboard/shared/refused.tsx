/** In place of a page that is not let in. */
export function Refused() {
  return (
    <main class="alone">
      <h1>This page is not let in</h1>
      <p>
        Open the address that <code>termtopic url</code> prints on the host of the publisher.
      </p>
    </main>
  );
}
