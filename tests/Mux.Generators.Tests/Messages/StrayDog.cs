namespace Mux.Generators.Tests.Messages;

/// <summary>Nobody includes it.</summary>
public sealed class StrayDog : Dog;
