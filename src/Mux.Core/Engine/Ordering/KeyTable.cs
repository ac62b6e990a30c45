using System.Diagnostics;
using System.Runtime.InteropServices;
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

/// <summary>A part of the keys of a <see cref="KeyTable"/>, with a lock of its own. Its memory grows with the number of keys that have calls at once.</summary>
/// <param name="table">The table, for its limits.</param>
/// <param name="number">The number of the stripe.</param>
/// <param name="numberBits">Bits of the number in a place.</param>
internal sealed class KeyStripe(KeyTable table, int number, int numberBits)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<ulong, int> _byKey = []; // index in _open
    private OpenKey[] _open = new OpenKey[4];
    private int _used; // entries that were ever in use
    private int _free = -1; // the first of those that are free again

    /// <summary>Number of keys that have calls. Any thread.</summary>
    public int Keys { get; private set; }

    /// <summary>Number of calls that wait. Any thread.</summary>
    public int Waiting { get; private set; }

    /// <summary>Number of calls refused. Any thread.</summary>
    public long Refused { get; private set; }

    /// <summary>Gets the number of the stripe of a place.</summary>
    public static int NumberOf(int place, int numberBits) => place & (1 << numberBits) - 1;

    /// <param name="key">The key, mixed.</param>
    /// <param name="call">The call that may wait; null for one that is only to run at once.</param>
    /// <param name="place">The place, if the call runs. A call that may wait has it, too.</param>
    public KeyEntry Enter(ulong key, OrderedCall? call, out int place)
    {
        lock (_gate)
        {
            ref int index = ref CollectionsMarshal.GetValueRefOrAddDefault(_byKey, key, out bool isOpen);
            place = isOpen ? PlaceOf(index) : 0;
            if (isOpen) return call is null ? KeyEntry.Waits : QueueLocked(ref _open[index], call, place);
            var entry = call is { IsOver: true } ? KeyEntry.Over
                : table.IsFull(Keys) ? KeyEntry.TooManyKeys
                : call?.TryTake() == false ? KeyEntry.Over
                : KeyEntry.Runs;
            if (entry != KeyEntry.Runs)
            {
                _byKey.Remove(key);
                if (entry == KeyEntry.TooManyKeys) Refused++;
                return entry;
            }

            index = TakeFreeLocked();
            _open[index].Key = key;
            place = PlaceOf(index);
            if (call is not null) call.Place = place;
            Keys++;
            return KeyEntry.Runs;
        }
    }

    /// <summary>Gives the key of a place to the next call that waits for it. Null if none does: then nothing has the key.</summary>
    public OrderedCall? Leave(int place)
    {
        int index = (place >> numberBits) - 1;
        lock (_gate)
        {
            ref var open = ref _open[index];
            while (open.First is { } first)
            {
                RemoveLocked(ref open, first);
                if (first.TryTake()) return first;
            }

            _byKey.Remove(open.Key);
            open.NextFree = _free;
            _free = index;
            Keys--;
            return null;
        }
    }

    public void Withdraw(OrderedCall call)
    {
        lock (_gate)
        {
            if (call.IsQueued) RemoveLocked(ref _open[(call.Place >> numberBits) - 1], call);
        }
    }

    /// <summary>Places begin at 1: 0 means none.</summary>
    private int PlaceOf(int index) => index + 1 << numberBits | number;

    private KeyEntry QueueLocked(ref OpenKey open, OrderedCall call, int place)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (call.IsOver) return KeyEntry.Over;
        if (open.Waiting + 1 >= table.MaxCallsOfKey)
        {
            Refused++;
            return KeyEntry.KeyIsFull;
        }

        (call.Place, call.IsQueued, call.Previous) = (place, true, open.Last);
        if (open.Last is { } last) last.Next = call;
        else open.First = call;
        open.Last = call;
        open.Waiting++;
        Waiting++;
        return KeyEntry.Waits;
    }

    private void RemoveLocked(ref OpenKey open, OrderedCall call)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (call.Previous is { } previous) previous.Next = call.Next;
        else open.First = call.Next;
        if (call.Next is { } next) next.Previous = call.Previous;
        else open.Last = call.Previous;
        (call.Next, call.Previous, call.IsQueued) = (null, null, false);
        open.Waiting--;
        Waiting--;
    }

    private int TakeFreeLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_free is >= 0 and var index)
        {
            _free = _open[index].NextFree;
            return index;
        }

        if (_used == _open.Length) Array.Resize(ref _open, _used * 2);
        return _used++;
    }

    /// <summary>A key that a call has, and the calls that wait for it, oldest first.</summary>
    private struct OpenKey
    {
        public ulong Key;
        public OrderedCall? First;
        public OrderedCall? Last;
        public int Waiting;
        public int NextFree; // while nothing has the key
    }
}

/// <summary>What became of a call that came to its key.</summary>
internal enum KeyEntry
{
    /// <summary>It has the key, and may run.</summary>
    Runs,

    /// <summary>Another call has the key. This one waits behind it, if it was one that can wait.</summary>
    Waits,

    /// <summary>As many calls as allowed have come for the key.</summary>
    KeyIsFull,

    /// <summary>As many keys as allowed have calls.</summary>
    TooManyKeys,

    /// <summary>It was over before it came.</summary>
    Over,
}

/// <summary>
/// Runs calls of one key one after the other on one thread, as long as each of them has ended when it returns: the next one then needs no other thread. After
/// some of them the next is queued, behind the work of others.
/// </summary>
internal static class KeyRun
{
    private const int MostInRow = 32;

    [ThreadStatic]
    private static int t_place; // of the call that runs on this thread; 0 if a next one must be queued

    [ThreadStatic]
    private static KeyTable? t_table; // of that call: places of several tables are equal

    [ThreadStatic]
    private static OrderedCall? t_next;

    /// <summary>Runs a call that has its key, and those behind it.</summary>
    public static void Of(OrderedCall first)
    {
        int place = first.Place;
        OrderedCall? call = first;
        for (int left = MostInRow; call is not null; left--)
        {
            (t_place, t_table) = (left > 1 ? place : 0, first.Table);
            call.Run();
            (t_place, call, t_next) = (0, t_next, null);
        }

        t_table = null;
    }

    /// <summary>Keeps the next call of a key for this thread.</summary>
    /// <returns>False if the thread does not run this key, and the call must be started elsewhere.</returns>
    public static bool TryKeep(OrderedCall next)
    {
        // Only that of the same key: the code that runs here may block, and another key must not wait for it.
        if (t_place != next.Place || t_table != next.Table) return false;
        (t_place, t_next) = (0, next);
        return true;
    }
}
