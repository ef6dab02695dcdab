/** Cloudflare's runtime: as in a page, with a dashboard for people. */

import { controlWithPages } from "../control-with-pages.ts";
import type { Place } from "../place.ts";
import { webPlace } from "../web/place.ts";

export const workerPlace: Place = { ...webPlace, control: async () => controlWithPages };
