namespace Mux.Benchmarks.Codec.Table;

/// <param name="Nanoseconds">For one message, the median.</param>
/// <param name="Bytes">Allocated for one message.</param>
internal sealed record CodecFigures(double Nanoseconds, long Bytes);
