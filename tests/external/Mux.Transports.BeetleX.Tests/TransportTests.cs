namespace Mux.Transports.BeetleX.Tests;

/// <summary>Tests that count the process's handles or change its limits: nothing runs beside them.</summary>
[CollectionDefinition(nameof(TransportTests), DisableParallelization = true)]
public sealed class TransportTests;
