import { resources, type Operation } from '../../shared/define.ts';

/** The key of an action or search, such as `create_booking`. Zaps keep it: once published it does not change. */
export const actionKey = ({ name, resource }: Pick<Operation, 'name' | 'resource'>): string => `${name}_${resource}`.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const nounOf = ({ resource }: Pick<Operation, 'resource'>): string => resources[resource].label;
