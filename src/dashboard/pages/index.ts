/** All pages by title, for rendering on the server. Browsers load each page separately (browser/main.tsx). */

import { Client } from "./client.tsx";
import { Data } from "./data.tsx";
import { Mail } from "./mail.tsx";
import { Misbehave } from "./misbehave.tsx";
import { Requests } from "./requests.tsx";
import { Start } from "./start.tsx";
import { Time } from "./time.tsx";

export const BODIES = { Client, Data, Mail, Misbehave, Requests, Start, Time };
