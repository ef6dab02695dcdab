/** The control API and, for browsers, the dashboard, under one address. */

import { control } from "../control/index.ts";
import { dashboard } from "../dashboard/index.ts";
import type { Service } from "../operation/service.ts";

export const controlWithPages: Service = { ...control, documents: { ...control.documents, ...dashboard } };
