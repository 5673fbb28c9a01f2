const path = require('node:path');

/** The project's folder. CommonJS knows its own place in Node and inside jest alike. */
module.exports = { root: path.dirname(__dirname) };
