namespace Mux.Generators.Tests.Messages;

public sealed class DerivedGrouped : Grouped;
