import { join } from 'node:path';
import { Desk, keepsSavedForm } from './savedForm.ts';

jest.setTimeout(25 * 60_000);

const desk = new Desk();
beforeAll(() => desk.open());
afterAll(() => desk.close());

keepsSavedForm(desk, join('docs', 'templates'));
