namespace Mux.Benchmarks.Codec;

/// <summary>One direction of one message, done as often as asked.</summary>
/// <param name="Name">The same for all codecs that do the same.</param>
/// <param name="Run">Takes how often, and returns something of the results, so that nothing is optimised away.</param>
public sealed record CodecLoop(string Name, Func<int, int> Run);
