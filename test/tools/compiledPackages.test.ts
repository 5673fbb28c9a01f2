import compiled from '../../tools/rigs/n8n/compiled/package.json' with { type: 'json' };
import pinned from '../../tools/rigs/n8n/pinned/package-lock.json' with { type: 'json' };

test.each(Object.entries(compiled.dependencies))("%s is compiled in the version that n8n's lock file has", (name, version) => {
  const { packages } = pinned as unknown as { packages: Record<string, { version: string }> };
  expect(version).toBe(packages[`node_modules/${name}`]?.version);
});
