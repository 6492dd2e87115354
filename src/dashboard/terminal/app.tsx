import { useEffect, useRef } from "preact/hooks";
import { Refused } from "../shared/refused.tsx";
import { session } from "../shared/session.ts";
import { Closing, Doubt, PageKeys, Rename } from "./dialogs.tsx";
import { FindBar } from "./find-bar.tsx";
import { Foot } from "./foot.tsx";
import { Gone } from "./gone.tsx";
import { Banners, Notes } from "./notices.tsx";
import type { TerminalPage } from "./page.ts";
import { Plain } from "./plain.tsx";
import { Tools } from "./tools.tsx";
import { Unsupported } from "./unsupported.tsx";

export function App({ page }: { readonly page: TerminalPage }) {
  const { kind } = session.value;
  const view = page.view.value?.state.value;
  if (kind === "refused" || view?.kind === "refused") {
    return <Refused />;
  }
  const isShown = page.isShown.value;
  return (
    <>
      <Tools page={page} />
      {isShown && <Banners page={page} />}
      {(view?.kind === "gone" || view?.kind === "closed") && <Gone page={page} />}
      {view?.kind === "unsupported" && <Unsupported page={page} message={view.message ?? ""} />}
      <Place page={page} isShown={isShown} />
      {isShown && page.isPlain.value && <Plain page={page} />}
      <Foot page={page} />
      <Doubt page={page} />
      <Closing page={page} />
      {page.dialog.value === "rename" && <Rename page={page} />}
      {page.dialog.value === "keys" && <PageKeys page={page} />}
    </>
  );
}

/** Where the terminal is drawn. */
function Place({ page, isShown }: { readonly page: TerminalPage; readonly isShown: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (element.current !== null) void page.show(element.current);
  }, [page]);
  const isLive = page.view.value?.state.value.kind === "live";
  return (
    <>
      <main
        class="place"
        hidden={!isShown}
        data-stale={isLive ? undefined : ""}
        data-bell={page.hasBell.value ? "" : undefined}
      >
        <h1 class="only-heard">Terminal</h1>
        {page.isFinding.value && <FindBar page={page} />}
        <div class="screen" ref={element} />
      </main>
      <Notes page={page} />
    </>
  );
}
