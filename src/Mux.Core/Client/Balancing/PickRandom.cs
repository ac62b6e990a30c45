using System.Runtime.CompilerServices;
using Mux.Contracts;

namespace Mux.Client;

/// <summary>
/// Random numbers for picks: xorshift64* (Vigna, https://arxiv.org/abs/1402.6246), 2 ns, without a cache line that threads share. With a seed it repeats
/// itself, and is not safe for concurrent use: for simulations.
/// </summary>
internal sealed class PickRandom(ulong? seed)
{
    [ThreadStatic]
    private static ulong t_state;

    private readonly bool _repeats = seed is not null;
    private ulong _state = StableHash.Combine(seed ?? 0, 1) | 1; // never 0, from which the generator would not move

    public ulong Next() => _repeats ? Step(ref _state) : Step(ref t_state);

    /// <summary>A number from 0 to <paramref name="count"/> - 1. The bias is below count / 2^32.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Reduce(uint random, int count) => (int)(((ulong)random * (uint)count) >> 32);

    /// <summary>A number of the exponential distribution with mean 1.</summary>
    public double NextExponential() => -Math.Log(((Next() >> 11) + 1) * (1.0 / (1UL << 53)));

    /// <summary>A number from 0 to below 1.</summary>
    public double NextPart() => (Next() >> 11) * (1.0 / (1UL << 53));

    private static ulong Step(ref ulong state)
    {
        ulong x = state;
        if (x == 0) x = (ulong)Random.Shared.NextInt64() | 1; // a thread's first
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        state = x;
        return x * 0x2545F4914F6CDD1D;
    }
}
