export declare const NOW: number;
export declare const TEAM: string;
export declare const TOKEN: string;
export declare const OPTIONS: { readonly clock: string; readonly seed: number; readonly teams: object };
