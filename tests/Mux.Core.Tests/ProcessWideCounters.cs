namespace Mux.Core.Tests;

/// <summary>Tests that look at counters of the whole process, such as outstanding buffers: they run alone.</summary>
[CollectionDefinition(nameof(ProcessWideCounters), DisableParallelization = true)]
public sealed class ProcessWideCounters : ICollectionFixture<RestingBuffers>;
