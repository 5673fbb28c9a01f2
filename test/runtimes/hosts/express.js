import { expressHandler } from 'acme-scheduling/webhooks';
import { port, receiver } from './receiver.js';

const { default: express } = await import(process.env.EXPRESS);
const deliveries = expressHandler(receiver);
const all = { type: '*/*' };
const verify = (request, _response, bytes) => void (request.rawBody = bytes.toString());

const app = express();
app.all('/deliveries', deliveries);
app.all('/raw', express.raw(all), deliveries);
app.all('/raw-twice', express.raw(all), express.raw(all), deliveries);
app.all('/text', express.text(all), deliveries);
app.all('/verify', express.json({ verify }), deliveries);
app.all('/parsed', express.json(), deliveries);
app.listen(port);
