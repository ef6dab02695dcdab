// Where the worker of a test runs, what that test gives stands in place of this: when it is (null: now), and its options.

export const now = null;
export const options = { teams: {} };
