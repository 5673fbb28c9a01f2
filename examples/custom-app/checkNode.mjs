// Node.js 24 includes what this application needs: SQLite, and TypeScript without a build.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`This application needs Node.js 24 or newer, and this is ${process.version}. Install it, or run: npx node@24 main.ts`);
  process.exit(1);
}
