/** The state of all worlds in a folder, for those who keep one: loaded with the first. */

export { keepWorlds, mainWorldOf } from "./kept-worlds.ts";
export { openStateFolder } from "./state-folder.ts";
