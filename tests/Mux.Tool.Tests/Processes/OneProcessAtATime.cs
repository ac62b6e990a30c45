namespace Mux.Tool.Tests.Processes;

/// <summary>One process under load at a time: two of them would take each other's time, and the test's. Beside it run <see cref="ProcessesWithoutLoad"/>.</summary>
[CollectionDefinition(Name)]
public sealed class OneProcessAtATime
{
    public const string Name = "processes";
}
