/**
 * The pipeline of the split repository. A job that installs or builds cannot publish. The job that publishes does neither: it takes what
 * was built and checks it.
 */
export const publishPipeline = `name: Publish

on:
  push:
    tags: ['v[0-9]+.[0-9]+.[0-9]+']

permissions: {}

jobs:
  build:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    permissions:
      contents: read
    outputs:
      checksums: \${{ steps.pack.outputs.checksums }}
    steps:
      - uses: actions/checkout@93cb6efe18208431cddfb8368fd83d5badbf9bfd # v5.0.1
        with:
          persist-credentials: false
      - &node
        uses: actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0
        with:
          node-version: 24
          package-manager-cache: false
      - name: The tag names the version
        env:
          TAG: \${{ github.ref_name }}
        run: node -e "const { version } = require('./package.json'); if ('v' + version !== process.env.TAG) throw new Error('package.json has ' + version + ', the tag is ' + process.env.TAG);"
      - run: node scripts/install.mjs
      - run: npm run build
      - run: npm run types
      - run: npm run lint
      - run: npm run scan
      - name: What is published, and its checksum
        id: pack
        run: |
          mkdir release
          npm pack --pack-destination release
          cd release
          { echo 'checksums<<END'; sha256sum *; echo 'END'; } >> "$GITHUB_OUTPUT"
      - uses: actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0
        with:
          name: release
          path: release/
          if-no-files-found: error

  publish:
    needs: build
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      # The registry trusts this pipeline by its identity, and the provenance names it: no token is stored.
      id-token: write
    steps:
      - *node
      - uses: actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1
        with:
          name: release
          path: release
      - name: It is what was built
        env:
          CHECKSUMS: \${{ needs.build.outputs.checksums }}
        run: printf '%s\\n' "$CHECKSUMS" | sha256sum --check --strict
        working-directory: release
      - run: npm publish ./*.tgz --provenance --access public --ignore-scripts
        working-directory: release
`;
