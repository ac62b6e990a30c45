using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Mux.Engine;

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
