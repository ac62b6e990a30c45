using System.Diagnostics;
using System.Runtime.CompilerServices;
using Mux.Sessions.Calls;
using Mux.Wire;

namespace Mux.Sessions.Outgoing;

/// <summary>
/// The calls this side has open on a connection, by slot: what an arriving reply is matched with. A slot is free again only when the terminal frame of its
/// call has arrived, also when the caller gave up long before (PROTOCOL.md section 2.3).
/// </summary>
/// <remarks>
/// <para>The state of a slot is one word, sequence &lt;&lt; 2 | state, and one compare-and-swap on it decides between reply, cancel, deadline and loss:
/// Free -> Open (lock held) -> {Free (reply, by the turn; or loss), Abandoned (cancel or deadline, lock held)}; Abandoned -> Free (terminal frame, by the
/// turn). The sequence grows with every call and never recurs; its low twelve bits are the generation on the wire.</para>
/// <para>Members ending in Locked need the connection's lock; <see cref="Complete"/> belongs to the turn. Slots the turn frees stay the turn's until it hands
/// them back under the lock, so freeing costs no lock, and no slot is opened again while somebody under the lock looks at it.</para>
/// </remarks>
internal sealed class CallSlots(Lock gate)
{
    private const ulong StateMask = 3;
    private const ulong Free = 0;
    private const ulong Open = 1;
    private const ulong Abandoned = 2;
    private const int StateBits = 2;
    private const int NoSlot = 0;

    private readonly SlotArray<Slot> _slots = new();
    private int _limit;
    private int _free = NoSlot; // most recently freed first: its memory is warm at both ends
    private int _used;
    private long _opened;
    private int _turnFree = NoSlot; // freed by the turn and not handed back yet
    private int _turnFreeLast = NoSlot;
    private long _turnFreed;

    /// <summary>What a terminal frame meant.</summary>
    public enum Terminal
    {
        /// <summary>It ends an open call.</summary>
        Completed,

        /// <summary>It ends a call that was given up.</summary>
        Late,

        /// <summary>No call has this id.</summary>
        Unknown,
    }

    /// <summary>Calls whose slot is not free; may be read from any thread and be off by what is under way.</summary>
    public int Count => (int)(Volatile.Read(ref _opened) - Volatile.Read(ref _turnFreed));

    /// <summary>How many calls may be open: what the peer's HELLO says.</summary>
    public int Limit => _limit;

    public void SetLimitLocked(int limit) => _limit = limit;

    /// <summary>
    /// Opens a call, unless the limit is reached. The caller appends its REQUEST at <paramref name="position"/> of the byte stream before it lets go of the
    /// lock.
    /// </summary>
    public bool TryOpenLocked(OutgoingCall call, OutgoingCall answerTo, long position)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        int slot = _free;
        if (slot == NoSlot)
        {
            if (_used >= _limit) return false;
            slot = ++_used;
            _slots.Ensure(slot, _limit);
        }

        ref var entry = ref _slots[slot];
        if (_free == slot) _free = entry.NextFree;
        ulong sequence = (entry.Word >> StateBits) + 1;
        ulong word = sequence << StateBits | Open;
        entry.Call = answerTo;
        entry.Position = position;
        Volatile.Write(ref entry.Word, word);
        _opened++;
        call.Id = new CallId(slot, (uint)sequence);
        call.OpenWord = word;
        call.Place = CallPlace.Open;
        return true;
    }

    /// <summary>Takes the call that a terminal frame ends. Turn only.</summary>
    public Terminal Complete(CallId id, out OutgoingCall? call)
    {
        call = null;
        ref var entry = ref _slots.Find(id.Slot);
        if (Unsafe.IsNullRef(ref entry)) return Terminal.Unknown;
        ulong word = Volatile.Read(ref entry.Word);
        if ((word & StateMask) == Free || (uint)(word >> StateBits & CallId.GenerationMask) != id.Generation) return Terminal.Unknown;

        ulong freed = word & ~StateMask;
        if ((word & StateMask) == Open && Interlocked.CompareExchange(ref entry.Word, freed, word) == word)
        {
            call = entry.Call;
            entry.Call = null;
            FreeByTurn(ref entry, id.Slot);
            return Terminal.Completed;
        }

        Volatile.Write(ref entry.Word, freed); // abandoned, and from there only the turn goes on
        FreeByTurn(ref entry, id.Slot);
        return Terminal.Late;
    }

    /// <summary>The call that a frame belongs to which does not end it. Turn only.</summary>
    /// <param name="id">Of the frame.</param>
    /// <param name="call">The call; null if it was given up.</param>
    /// <returns>False if no call has this id.</returns>
    public bool TryFind(CallId id, out OutgoingCall? call)
    {
        call = null;
        ref var entry = ref _slots.Find(id.Slot);
        if (Unsafe.IsNullRef(ref entry)) return false;
        ulong word = Volatile.Read(ref entry.Word);
        if ((word & StateMask) == Free || (uint)(word >> StateBits & CallId.GenerationMask) != id.Generation) return false;
        if ((word & StateMask) == Open) call = Volatile.Read(ref entry.Call);
        return true;
    }

    /// <summary>Hands the slots that the turn freed back to everybody. The caller owns the turn.</summary>
    public void ReclaimLocked()
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        if (_turnFree == NoSlot) return;
        _slots[_turnFreeLast].NextFree = _free;
        _free = _turnFree;
        _turnFree = _turnFreeLast = NoSlot;
    }

    /// <summary>Whether <see cref="TryOpenLocked"/> would succeed.</summary>
    public bool HasFreeLocked => _free != NoSlot || _used < _limit;

    /// <summary>
    /// Takes an open call away from its reply, which may still come and is then late. <paramref name="open"/> is the slot's word while that call is open.
    /// </summary>
    /// <returns>False if the call was decided already.</returns>
    public bool TryAbandonLocked(int slot, ulong open)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        ref var entry = ref _slots[slot];
        if (Interlocked.CompareExchange(ref entry.Word, open & ~StateMask | Abandoned, open) != open) return false;
        entry.Call = null; // the caller's memory does not wait for a slow peer
        return true;
    }

    /// <summary>Whether a call was given up and its terminal frame has not come.</summary>
    public bool IsAbandonedLocked(CallId id)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        ulong word = Volatile.Read(ref _slots[id.Slot].Word);
        return (word & StateMask) == Abandoned && ((word >> StateBits) & CallId.GenerationMask) == id.Generation;
    }

    /// <summary>
    /// The call that is open in a slot, or null. It may be decided and its object in use for another call a moment later: only <see cref="TryAbandonLocked"/>
    /// with
    /// <paramref name="open"/> makes it the caller's.
    /// </summary>
    public OutgoingCall? PeekLocked(int slot, out ulong open)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        ref var entry = ref _slots[slot];
        open = Volatile.Read(ref entry.Word);
        return (open & StateMask) == Open ? Volatile.Read(ref entry.Call) : null;
    }

    /// <summary>The connection is lost: takes all open calls away from their replies, in slot order, linked by <see cref="OutgoingCall.Next"/>.</summary>
    /// <param name="sentUpTo">Where the bytes end that the link may have; a call whose request begins there or behind was never sent.</param>
    /// <param name="unsent">Calls of which no byte was sent.</param>
    /// <param name="sent">The others.</param>
    public void CloseLocked(long sentUpTo, out OutgoingCall? unsent, out OutgoingCall? sent)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        unsent = sent = null;
        for (int slot = _used; slot > 0; slot--)
        {
            var call = PeekLocked(slot, out ulong open);
            if (call is null || !TryAbandonLocked(slot, open) || call is OneWayReply) continue;
            call.Place = CallPlace.Outside;
            ref var list = ref unsent;
            if (_slots[slot].Position < sentUpTo) list = ref sent;
            call.Next = list;
            list = call;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void FreeByTurn(ref Slot entry, int slot)
    {
        entry.NextFree = _turnFree;
        if (_turnFree == NoSlot) _turnFreeLast = slot;
        _turnFree = slot;
        _turnFreed++;
    }

    private struct Slot
    {
        public ulong Word;
        public OutgoingCall? Call;

        /// <summary>Where the call's REQUEST begins in the outgoing byte stream.</summary>
        public long Position;

        /// <summary>The next free slot while this one is free.</summary>
        public int NextFree;
    }
}
