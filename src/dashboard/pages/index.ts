/** The pages by their titles, all at once. Browsers load each alone. */

import { Client } from "./client.tsx";
import { Data } from "./data.tsx";
import { Mail } from "./mail.tsx";
import { Misbehave } from "./misbehave.tsx";
import { Requests } from "./requests.tsx";
import { Start } from "./start.tsx";
import { Time } from "./time.tsx";

export const BODIES = { Client, Data, Mail, Misbehave, Requests, Start, Time };
