namespace Mux.Generators.Tests.Messages;

public sealed class DerivedLink : Link;
