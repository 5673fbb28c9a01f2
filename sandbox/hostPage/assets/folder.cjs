/** Where the files lie that the browser is given. CommonJS knows its own place in Node and inside jest alike. */
module.exports = { folder: __dirname };
