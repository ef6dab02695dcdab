/** Presets that set clock, data or settings, and have no rules. All other presets have only rules. */

export const STAGES: Readonly<Record<string, string>> = {
  "daylight-saving-edge": "clock, data",
  "leap-day": "clock, data",
  "many-pages": "clock, settings, data",
  "museum-empty": "data",
  "museum-full-week": "clock, data",
  "presale-expired": "clock, data",
  "presale-healthy": "clock, data",
  "presale-nearly-used-up": "clock, data",
  "token-about-to-expire": "clock, settings",
  unicode: "clock, data",
  "usage-not-covered": "clock, data",
};
