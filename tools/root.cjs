const path = require('node:path');

/** The project's folder. This file is CommonJS because `__dirname` then works both in Node and in jest. */
module.exports = { root: path.dirname(__dirname) };
