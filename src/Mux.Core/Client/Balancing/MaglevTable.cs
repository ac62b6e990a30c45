using Mux.Contracts;

namespace Mux.Client;

/// <summary>
/// Maps keys to endpoints: the table of Maglev (Eisenbud et al., NSDI 2016, section 3.4), with 65,537 entries of two bytes. Each endpoint has entries in
/// proportion to its weight, within 1 % for up to a hundred endpoints, and few keys move when one comes or goes. Depends on addresses and weights alone, so
/// that all clients agree. Loads are bounded (Mirrokni et al., "Consistent hashing with bounded loads", 2017): a key whose endpoint is closed, ejected or
/// overloaded goes to the next entry, and the table stays. Immutable.
/// </summary>
internal sealed class MaglevTable
{
    /// <summary>Number of entries: a prime, as the permutations need.</summary>
    public const int Size = 65_537;

    /// <summary>An endpoint may have so many times its fair share of the open calls.</summary>
    public const double Bound = 1.25;

    /// <summary>Open calls up to which an endpoint is not overloaded, whatever its share: among few calls every share is far from fair.</summary>
    public const int AlwaysAllowed = 8;

    /// <summary>Entries at which a pick looks. If none of them takes the call, the load decides.</summary>
    public const int MaxSteps = 64;

    private readonly Candidate[] _members;
    private readonly int[] _weights;
    private readonly ushort[] _entries;

    private MaglevTable(Candidate[] members, int[] weights)
    {
        _members = members;
        _weights = weights;
        _entries = members.Length == 0 ? [] : Fill(members, weights);
    }

    /// <summary>Gets the table of these endpoints: the last one, if the same endpoints have the same weights.</summary>
    public static MaglevTable Of(Candidate[] all, MaglevTable? last)
    {
        // Leaving ones have no keys, unless nothing else is there.
        var staying = all.Any(candidate => !candidate.Endpoint.IsLeaving) ? all.Where(candidate => !candidate.Endpoint.IsLeaving) : all;
        Candidate[] members = [.. staying.OrderBy(candidate => candidate.Endpoint.Address.ToString(), StringComparer.Ordinal).Take(ushort.MaxValue)];
        int[] weights = [.. members.Select(member => member.Endpoint.Weight)];
        bool isSame = last is not null && last._members.AsSpan().SequenceEqual(members) && last._weights.AsSpan().SequenceEqual(weights);
        return isSame ? last! : new MaglevTable(members, weights);
    }

    public bool IsEmpty => _members.Length == 0;

    /// <summary>Gets the entry of a key.</summary>
    public static int EntryOf(in CallKey key) => (int)(key.Hash % Size);

    /// <summary>Gets the entry after another one.</summary>
    public static int After(int entry) => entry + 1 == Size ? 0 : entry + 1;

    /// <summary>Gets the endpoint of an entry.</summary>
    public Candidate At(int entry) => _members[_entries[entry]];

    private static ushort[] Fill(Candidate[] members, int[] weights)
    {
        const ushort Free = ushort.MaxValue;
        int count = members.Length, heaviest = weights.Max();
        var (next, skip) = (new int[count], new int[count]); // where each member's permutation is, and its step
        for (int i = 0; i < count; i++)
        {
            string name = members[i].Endpoint.Address.ToString();
            next[i] = (int)(StableHash.Of(name, seed: 0) % Size);
            skip[i] = (int)(StableHash.Of(name, seed: 1) % (Size - 1)) + 1;
        }

        ushort[] entries = new ushort[Size];
        Array.Fill(entries, Free);
        long[] credit = new long[count];
        for (int filled = 0; ;)
        {
            for (int i = 0; i < count; i++)
            {
                credit[i] += weights[i];
                if (credit[i] < heaviest) continue; // a lighter one sits out some rounds
                credit[i] -= heaviest;
                while (entries[next[i]] != Free) next[i] = (next[i] + skip[i]) % Size;
                entries[next[i]] = (ushort)i;
                if (++filled == Size) return entries;
            }
        }
    }
}
