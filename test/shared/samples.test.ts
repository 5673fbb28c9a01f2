import { eventRows } from '../../shared/events.ts';
import { formFields } from '../../shared/operations/form.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { present } from '../../shared/records/outputs.ts';

test.each(eventRows)('the sample of $label is written in the form in which its record is returned', ({ record, sample }) => {
  expect(sample).toEqual(present(record, sample));
});

test.each([...operations, ...searches].map(({ action, resource, input }) => ({ name: `${action} ${resource}`, input })))(
  '$name: a field is required exactly when its schema refuses input without it',
  ({ input }) => {
    for (const { key, required } of formFields(input)) {
      expect([key, required]).toEqual([key, input[key]?.schema.safeParse(undefined).success === false]);
    }
  },
);
