/** The page Start: URLs, credentials and the first request. */
import type { CredentialView } from "../../sandbox/views.ts";
import type { Actions, Cockpit } from "../cockpit.ts";
import { buildHref } from "../location.ts";
import { Sample } from "../parts/empty.tsx";
import { QuietButton } from "../parts/quiet-button.tsx";
import { buildFirstCall } from "../samples.ts";

const ENVIRONMENTS = {
  museum: { title: "Museum", about: "Special events, hours and tickets. HTTP Basic." },
  account: { title: "Account", about: "Billing, presales and users. A token from POST /login." },
  accountSandbox: {
    title: "Account, its sandbox",
    about: "A second account environment with its own users and data.",
  },
} as const;

export function Start(cockpit: Cockpit) {
  const { known, place, act } = cockpit;
  const urls = known.worlds?.find(({ id }) => id === place.world)?.urls ?? {};
  const credentials = known.credentials ?? [];
  return (
    <>
      <h1>Ready for requests</h1>
      <ol class="steps">
        <Step done={(known.state?.exchanges ?? 0) > 0} title="Send a request">
          <p>Run this in a terminal, or configure your client with a URL below.</p>
          <Sample act={act} name="the first call" text={buildFirstCall(urls["museum"] ?? "", credentials)} />
        </Step>
        <Step done={(known.state?.exchanges ?? 0) > 0} title="See the response">
          <p>The page Requests lists each request with its response and the reason.</p>
          <a class="button" href={buildHref(place, { page: "requests" })}>
            Watch requests
          </a>
        </Step>
        <Step done={known.rules?.some(({ acted }) => acted > 0) === true} title="Make a request fail">
          <p>Choose a documented response: the next request gets it. Does your client cope?</p>
          <a class="button" href={buildHref(place, { page: "misbehave" })}>
            Choose a response
          </a>
        </Step>
      </ol>
      <h2>URLs and credentials</h2>
      <div class="card environments">
        {Object.entries(ENVIRONMENTS).map(([key, { title, about }]) => (
          <section class="environment" key={key} aria-labelledby={`at-${key}`}>
            <div>
              <h3 id={`at-${key}`}>{title}</h3>
              <p class="note">{about}</p>
              <p>
                <Copyable act={act} what={`the address of ${title}`} text={urls[key] ?? ""} />
              </p>
              <p>
                <a href={`${urls[key] ?? ""}/openapi.json`}>OpenAPI document</a>
              </p>
            </div>
            <table class="credentials">
              <thead>
                <tr>
                  <th scope="col">User</th>
                  <th scope="col">Password</th>
                  {key === "museum" ? null : <th scope="col">Token</th>}
                </tr>
              </thead>
              <tbody>
                {credentials
                  .filter(({ environment }) => environment === key)
                  .map((one) => (
                    <Credential key={one.user} one={one} act={act} />
                  ))}
              </tbody>
            </table>
          </section>
        ))}
      </div>
    </>
  );
}

type StepProps = { readonly done: boolean; readonly title: string; readonly children: unknown };

function Step({ done, title, children }: StepProps) {
  return (
    <li class={done ? "step is-done" : "step"}>
      <h2>
        {title} <span class="tick">{done ? "✓ done" : ""}</span>
      </h2>
      {children}
    </li>
  );
}

function Credential({ one, act }: { readonly one: CredentialView; readonly act: Actions }) {
  const { user, password, environment, any } = one;
  return (
    <tr>
      <td>
        <Copyable act={act} what={`the user ${user}`} text={user} />
      </td>
      <td>
        <Copyable act={act} what={`the password of ${user}`} text={password} />
        {any === true ? <p class="note">Any other pair works too.</p> : null}
      </td>
      {environment === "museum" ? null : (
        <td>
          <QuietButton
            onClick={() => act.copyToken(user, environment)}
            aria-label={`Copy a token for ${user}`}
          >
            Copy
          </QuietButton>
        </td>
      )}
    </tr>
  );
}

type CopyableProps = { readonly act: Actions; readonly what: string; readonly text: string };

function Copyable({ act, what, text }: CopyableProps) {
  return (
    <button
      type="button"
      class="copyable"
      title="Copy"
      aria-label={`${text}, copy ${what}`}
      onClick={() => act.copy(what, text)}
    >
      <code>{text}</code>
    </button>
  );
}
