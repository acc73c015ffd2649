/** The common part of both kinds of nodes, operations and tensors: their attributes. */
export abstract class AttributeHolder {
  abstract get<T>(attribute: string): T | undefined;

  has(attribute: string): boolean {
    return this.get<unknown>(attribute) !== undefined;
  }

  hasValid(attribute: string): boolean {
    const value = this.get<unknown>(attribute);
    return value !== undefined && value !== null;
  }
}
