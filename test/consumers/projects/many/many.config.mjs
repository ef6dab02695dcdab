export default { test: { include: ["many.test.ts"] } };
