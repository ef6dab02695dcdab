// Owns what a speech says about this service: its settings, and the form that its answer takes.

import type { Rejection } from "../../../operation/problem.ts";
import type { Speech } from "../../../operation/service.ts";
import { Credentials } from "../schemas.ts";
import type { AccountSettings } from "../settings.ts";
import { chooseMedia } from "./accept.ts";
import { HTML, JSON_TYPE, MEDIA_TYPES, SUFFIXES } from "./media.ts";

export function settingsOf({ settings }: Pick<Speech, "settings">): AccountSettings {
  return settings as AccountSettings; // checked against AccountSettings when the sandbox took them
}

/** Sign-in is not a resource: JSON alone, with error bodies of its own. */
export function isLogin({ operation }: Speech): boolean {
  return operation?.request.body === Credentials;
}

/** The media type of the answer, or why there is none. A suffix of the path leaves one form to choose from. */
export function negotiate(speech: Speech): string | Rejection {
  const { headers, suffix } = speech.exchange;
  if (isLogin(speech)) return suffix === undefined ? JSON_TYPE : { kind: "unknownPath" };
  const own = suffix === undefined ? undefined : SUFFIXES[suffix];
  if (suffix !== undefined && own === undefined) return { kind: "unknownPath" };
  const accept = headers.get("accept");
  return (
    chooseMedia(accept, own === undefined ? MEDIA_TYPES : [own]) ?? {
      kind: "notAcceptable",
      accept: accept ?? "",
    }
  );
}

/** The form that Symfony itself takes: the first of ours that Accept names, and a page where it names none. */
export function firstNamed({ headers }: Speech["exchange"]): string {
  const named = (headers.get("accept") ?? "").split(",").map((text) => text.split(";")[0]?.trim() ?? "");
  return named.find((media) => MEDIA_TYPES.includes(media)) ?? HTML;
}

/** The form of a refusal: the one agreed, or that could have been; undefined: there is none to agree on. */
export function refusalMedia(speech: Speech): string | undefined {
  const { media, headers, suffix } = speech.exchange;
  if (suffix !== undefined && SUFFIXES[suffix] === undefined) return undefined;
  return media ?? chooseMedia(headers.get("accept"), MEDIA_TYPES);
}
