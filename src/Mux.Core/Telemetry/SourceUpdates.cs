namespace Mux.Telemetry;

/// <summary>What the source of a channel's endpoints has done since the channel was created.</summary>
/// <param name="Changed">Sets that differed from the one before.</param>
/// <param name="Unchanged">Sets that did not: the source has looked.</param>
/// <param name="Failed">Times that it failed, or ended without a set.</param>
internal readonly record struct SourceUpdates(long Changed, long Unchanged, long Failed);
