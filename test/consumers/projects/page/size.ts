// The sandbox alone, as a page loads it.

export { createSandbox } from "vitrine/browser";
