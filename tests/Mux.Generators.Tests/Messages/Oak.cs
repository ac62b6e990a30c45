namespace Mux.Generators.Tests.Messages;

/// <summary>Cut to a tree.</summary>
public sealed class Oak : Tree;
