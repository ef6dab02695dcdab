/** The page Mail: sent mails, and invoices that trigger them. */
import { useState } from "hono/jsx";
import type { Message } from "../../world/mailbox.ts";
import { clearMails, recordUsage } from "../action.ts";
import type { Actions, Cockpit } from "../cockpit.ts";
import { buildHref } from "../location.ts";
import { Empty } from "../parts/empty.tsx";
import { getFieldText } from "../parts/field.ts";
import { PanelHead } from "../parts/panel-head.tsx";
import { SureButton } from "../parts/sure-button.tsx";
import { escapeUnseen } from "../plain.ts";

export function Mail(cockpit: Cockpit) {
  const { known, place, act } = cockpit;
  const mails = [...(known.mails ?? [])].reverse();
  const open = mails.find(({ id }) => id === place.mail);
  return (
    <>
      <h1 class="hidden">Mail</h1>
      <div class="toolbar">
        <Usage act={act} />
        <p class="actions">
          <SureButton disabled={mails.length === 0} sure="Delete all?" act={() => void act.run(clearMails)}>
            Empty the mailbox
          </SureButton>
        </p>
      </div>
      {mails.length === 0 ? (
        <Empty act={act} title="No mail yet." sample="sandbox.usage.record({ sent: 100, received: 0 });">
          Presales send one as their credit runs low. With the preset presale-nearly-used-up, a hundred
          invoices are enough:
        </Empty>
      ) : (
        <div class={open === undefined ? "mails" : "mails with-detail"}>
          <ul class="mail-list">
            {mails.map(({ id, subject, to, at }) => (
              <li key={id}>
                <a
                  href={buildHref(place, { mail: id })}
                  aria-current={id === place.mail ? "true" : undefined}
                >
                  <b>{escapeUnseen(subject)}</b> <span>{escapeUnseen(to)}</span>{" "}
                  <time datetime={at}>{at.slice(0, 16).replace("T", " ")}</time>
                </a>
              </li>
            ))}
          </ul>
          {open === undefined ? null : <Letter mail={open} href={buildHref(place, { mail: undefined })} />}
        </div>
      )}
    </>
  );
}

function Letter({ mail, href }: { readonly mail: Message; readonly href: string }) {
  const { subject, to, at, text, html } = mail;
  return (
    <article class="detail" aria-labelledby="mail-title">
      <PanelHead id="mail-title" href={href} close="Close the mail">
        {escapeUnseen(subject)}
      </PanelHead>
      <p class="quiet">
        To {escapeUnseen(to)}, {at.replace("T", " ").replace("Z", " UTC")}
      </p>
      <pre>{escapeUnseen(text)}</pre>
      <details>
        <summary>HTML source</summary>
        <pre>{escapeUnseen(html)}</pre>
      </details>
    </article>
  );
}

function Usage({ act }: { readonly act: Actions }) {
  const [sent, setSent] = useState("100");
  return (
    <form
      class="inline"
      onSubmit={(event: Event) => {
        event.preventDefault();
        void act.run(recordUsage({ sent: Number(sent), received: 0 }));
      }}
    >
      <label>
        Invoices sent
        <input
          class="number"
          inputmode="numeric"
          value={sent}
          onInput={(event) => setSent(getFieldText(event))}
        />
      </label>
      <button type="submit">Record</button>
    </form>
  );
}
