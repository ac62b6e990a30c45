namespace Mux.Core.Tests.Transports;

/// <summary>Tests that count the process's handles, buffers or allocations, or change its limits: nothing runs beside them.</summary>
[CollectionDefinition(nameof(TransportTests), DisableParallelization = true)]
public sealed class TransportTests;
