using System.Security.Cryptography;

namespace Mux.Engine;

/// <summary>
/// The keys of calls that run one after the other: which of them have calls, and which calls wait for them. A key is a hash of 64 bits; two values with the
/// same hash wait for each other, and nothing else comes of it. Safe for concurrent use.
/// </summary>
/// <remarks>
/// <para>A key that nothing has costs nothing: it is in the table from the first call that comes to it to the last one that leaves it.</para>
/// <para>Clients choose the keys. They are mixed with a secret of the process, so no client can choose keys that share a stripe or a bucket.</para>
/// <para>Lock order: the locks of stripes are taken under any other lock, and nothing is called under them but <see cref="OrderedCall.TryTake"/>.</para>
/// </remarks>
internal sealed class KeyTable
{
    public const int DefaultMaxKeys = 100_000;
    public const int DefaultMaxCallsOfKey = 1_024;

    private const int StripeBits = 6;
    private const int StripeCount = 1 << StripeBits;

    private static readonly ulong s_secret = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    private readonly KeyStripe[] _stripes = new KeyStripe[StripeCount];
    private readonly int _countedFrom;

    public KeyTable(int maxKeys = DefaultMaxKeys, int maxCallsOfKey = DefaultMaxCallsOfKey)
    {
        (MaxKeys, MaxCallsOfKey) = (maxKeys, maxCallsOfKey);
        _countedFrom = maxKeys / StripeCount / 2;
        for (int stripe = 0; stripe < StripeCount; stripe++) _stripes[stripe] = new KeyStripe(this, stripe, StripeBits);
    }

    public int MaxKeys { get; }

    public int MaxCallsOfKey { get; }

    /// <summary>Number of keys that have calls.</summary>
    public long Keys => _stripes.Sum(static stripe => (long)stripe.Keys);

    /// <summary>Number of calls that wait for their key.</summary>
    public long Waiting => _stripes.Sum(static stripe => (long)stripe.Waiting);

    /// <summary>Number of calls that were refused because of a limit of the table.</summary>
    public long Refused => _stripes.Sum(static stripe => stripe.Refused);

    /// <summary>Takes a key that no call has.</summary>
    /// <param name="key">The key.</param>
    /// <param name="place">For <see cref="Leave"/>, if the key is taken.</param>
    /// <returns><see cref="KeyEntry.Waits"/> if a call has the key: nothing was changed then.</returns>
    public KeyEntry TryEnter(ulong key, out int place)
    {
        ulong mixed = Mix(key);
        return StripeOf(mixed).Enter(mixed, null, out place);
    }

    /// <summary>Takes the key of a call, or lets it wait behind the other calls of the key.</summary>
    public KeyEntry Enter(OrderedCall call)
    {
        ulong mixed = Mix(call.Key);
        call.Table = this;
        return StripeOf(mixed).Enter(mixed, call, out _);
    }

    /// <summary>Leaves a key, and has the next call run that waits for it.</summary>
    public void Leave(int place)
    {
        var stripe = _stripes[KeyStripe.NumberOf(place, StripeBits)];
        while (stripe.Leave(place) is { } next)
        {
            if (KeyRun.TryKeep(next) || next.TryStart()) return;
        }
    }

    /// <summary>Takes a call that was given up out of the queue of its key, if it is there.</summary>
    public void Withdraw(OrderedCall call) => StripeOf(Mix(call.Key)).Withdraw(call);

    /// <summary>Describes why a call was refused.</summary>
    public string Describe(KeyEntry reason) => reason == KeyEntry.TooManyKeys
        ? $"Calls of {MaxKeys} keys of ordered methods run or wait here, which is the limit. Call again later."
        : $"{MaxCallsOfKey} calls with this key run or wait here, which is the limit. Await some of them first; one-way calls can be " +
            "awaited if MuxCallOptions.Acknowledged is set.";

    /// <summary>True if no further key may have calls.</summary>
    /// <param name="keys">Number of keys of the stripe that asks.</param>
    /// <remarks>Keys are spread evenly: while a stripe has less than half of its share, the others are not counted.</remarks>
    public bool IsFull(int keys) => keys >= _countedFrom && Keys >= MaxKeys;

    private KeyStripe StripeOf(ulong mixed) => _stripes[mixed >> (64 - StripeBits)];

    /// <summary>A bijection, so it adds no collisions: the last steps of MurmurHash3 (https://github.com/aappleby/smhasher, MurmurHash3.cpp, fmix64).</summary>
    private static ulong Mix(ulong key)
    {
        key ^= s_secret;
        key = (key ^ key >> 33) * 0xFF51AFD7ED558CCD;
        key = (key ^ key >> 33) * 0xC4CEB9FE1A85EC53;
        return key ^ key >> 33;
    }
}
