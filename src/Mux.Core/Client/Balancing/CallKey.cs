using Mux.Contracts;

namespace Mux.Client;

/// <summary>
/// The affinity key of a call, as a hash that is the same in every process: calls with equal keys go to the same endpoint while it takes calls.
/// </summary>
/// <param name="Hash">The hash, as of <see cref="KeyHash"/>; 0 for a call without a key.</param>
internal readonly record struct CallKey(ulong Hash)
{
    /// <summary>The key of a call without one.</summary>
    public static CallKey None => default;

    public bool IsNone => Hash == 0;

    public static CallKey Of(string key) => new(KeyHash.Of(key));
}
