namespace Mux.Tool.Chaos;

/// <summary>
/// Random numbers that a seed decides, on every machine and version of the runtime alike: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
/// Generators, 2014). Not thread-safe.
/// </summary>
internal sealed class SeededDraws
{
    private const ulong Gamma = 0x9E37_79B9_7F4A_7C15;

    private ulong _state;

    /// <param name="seed">The seed of the proxy.</param>
    /// <param name="stream">Number of this row of numbers; each has its own.</param>
    public SeededDraws(int seed, int stream) => _state = Mixed(((ulong)(uint)seed << 32) | (uint)stream);

    /// <returns>From 0 to less than 1.</returns>
    public double Next()
    {
        _state += Gamma;
        return (Mixed(_state) >> 11) * (1.0 / (1UL << 53)); // the 53 bits of a double
    }

    private static ulong Mixed(ulong z)
    {
        z = (z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9;
        z = (z ^ (z >> 27)) * 0x94D0_49BB_1331_11EB;
        return z ^ (z >> 31);
    }
}
