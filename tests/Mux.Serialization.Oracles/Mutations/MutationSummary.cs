using System.Numerics;
using Mux.Serialization.Oracles.Differences;

namespace Mux.Serialization.Oracles.Mutations;

/// <summary>What became of mutated inputs. Every count but <see cref="Inputs"/> is a part of it.</summary>
public sealed class MutationSummary
{
    private readonly long[] _byDifference = new long[BitOperations.Log2((uint)Enum.GetValues<Difference>().Where(static flag => BitOperations.IsPow2((int)flag)).Max()) + 1];

    public long Inputs { get; internal set; }

    /// <summary>Bytes of all inputs.</summary>
    public long Bytes { get; internal set; }

    /// <summary>Read by both libraries, and they say the same.</summary>
    public long ReadAlike { get; internal set; }

    /// <summary>Refused by both.</summary>
    public long RefusedAlike { get; internal set; }

    /// <summary>Refused by ours for a documented difference; Google's library read it or not.</summary>
    public long RefusedByDifference { get; internal set; }

    /// <summary>With a difference in what the bytes mean, so that nothing was compared.</summary>
    public long NotCompared { get; internal set; }

    /// <summary>The most that a decoder allocated, bytes.</summary>
    public long MostAllocated { get; internal set; }

    /// <summary>The most that a decoder allocated for each byte of its input, beyond what is allowed for any: bytes.</summary>
    public double MostAllocatedPerByte { get; internal set; }

    /// <summary>How many inputs had a difference.</summary>
    public IEnumerable<(Difference Difference, long Inputs)> ByDifference =>
        Enumerable.Range(0, _byDifference.Length).Select(bit => ((Difference)(1 << bit), _byDifference[bit]));

    internal void Count(Difference differences)
    {
        for (int rest = (int)differences; rest != 0; rest &= rest - 1) _byDifference[BitOperations.TrailingZeroCount(rest)]++;
    }
}
