using System.Diagnostics;
using System.Runtime.CompilerServices;
using Mux.Contracts;
using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// The calls that this side has open on a connection, by slot: an arriving reply is matched here. A slot is free again only when the terminal frame of its call
/// has arrived, even if the caller cancelled long before (PROTOCOL.md section 2.3).
/// </summary>
/// <remarks>
/// <para>The state of a slot is one word, sequence &lt;&lt; 2 | state. One compare-and-swap on it decides between reply, cancel, deadline and loss:
/// Free -> Open (lock held) -> {Free (reply, by the turn; or loss), Abandoned (cancel or deadline, lock held)}; Abandoned -> Free (terminal frame, by the
/// turn). The sequence grows with every call and never recurs; its low twelve bits are the generation on the wire.</para>
/// <para>Members ending in Locked need the connection's lock; <see cref="Complete"/> belongs to the turn. Slots freed by the turn stay with it until it hands
/// them back under the lock. So freeing takes no lock, and no slot is opened again while another thread looks at it under the lock.</para>
/// </remarks>
internal sealed class CallSlots(Lock gate)
{
    private const ulong StateMask = 3;
    private const ulong Free = 0;
    private const ulong Open = 1;
    private const ulong Abandoned = 2;
    private const int StateBits = 2;

    /// <summary>No slot: slots begin at 1.</summary>
    public const int NoSlot = 0;

    /// <summary>
    /// Position of a request that is not in the byte stream yet, plus its offset in the block of the turn. It is behind all real positions:
    /// nothing of it was sent.
    /// </summary>
    private const long Unplaced = long.MaxValue - int.MaxValue;

    private SlotArray<Slot> _slots = new();
    private int _limit;
    private int _leased = int.MaxValue; // written under the lock; the turn reads it without
    private int _free = NoSlot; // most recently freed first: its memory is warm at both ends
    private int _used;
    private long _opened;
    private int _turnFree = NoSlot; // freed by the turn and not handed back yet
    private int _turnFreeLast = NoSlot;
    private long _turnFreed;
    private int _turnOpened = NoSlot; // opened by the turn, with requests in its block
    private long _openedInTurn;

    /// <summary>The effect of a terminal frame.</summary>
    public enum Terminal
    {
        /// <summary>It ends an open call.</summary>
        Completed,

        /// <summary>It ends a call that was cancelled or expired.</summary>
        Late,

        /// <summary>No call has this id.</summary>
        Unknown,
    }

    /// <summary>Number of slots in use. Any thread; may be off by calls that just change.</summary>
    public int Count => (int)(Volatile.Read(ref _opened) + Volatile.Read(ref _openedInTurn) - Volatile.Read(ref _turnFreed));

    /// <summary>Most calls that may be open, as announced in the peer's HELLO.</summary>
    public int Limit => _limit;

    /// <summary>True if the peer has said for a while that it takes fewer calls. Any thread.</summary>
    public bool IsLeased => Volatile.Read(ref _leased) != int.MaxValue;

    public void SetLimitLocked(int limit)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        _limit = limit;
    }

    /// <summary>Sets the most calls that may be open for a while; <see cref="int.MaxValue"/> ends this. Calls that are open stay open.</summary>
    public void SetLeaseLocked(int mostOpen)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        Volatile.Write(ref _leased, mostOpen);
    }

    /// <summary>
    /// Opens a call, unless the limit is reached. The caller appends its REQUEST at <paramref name="position"/> of the byte stream before it releases the lock.
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

    /// <summary>True if <see cref="OpenInTurn"/> may be called. Turn only.</summary>
    public bool HasTurnFree => _turnFree != NoSlot && _leased == int.MaxValue; // a lease is kept under the lock

    /// <summary>
    /// Opens a call in a slot that the turn has freed. Turn only. <see cref="PlaceLocked"/> or <see cref="WithdrawLocked"/> follows before the turn ends.
    /// </summary>
    /// <param name="call">The call.</param>
    /// <param name="offset">Offset of its request in the block of the turn.</param>
    public void OpenInTurn(OutgoingCall call, int offset)
    {
        int slot = _turnFree;
        ref var entry = ref _slots[slot];
        _turnFree = entry.NextFree;
        entry.NextFree = _turnOpened; // free while the slot is in use
        _turnOpened = slot;
        ulong sequence = (entry.Word >> StateBits) + 1;
        ulong word = sequence << StateBits | Open;
        entry.Call = call;
        entry.Position = Unplaced + offset;
        call.Id = new CallId(slot, (uint)sequence);
        call.OpenWord = word;
        call.Place = CallPlace.Open;
        Volatile.Write(ref entry.Word, word);
        Volatile.Write(ref _openedInTurn, _openedInTurn + 1);
    }

    /// <summary>Takes the first slot of the calls that the turn has opened; the others follow it.</summary>
    public int TakeTurnOpenedLocked()
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        int first = _turnOpened;
        _turnOpened = NoSlot;
        return first;
    }

    /// <summary>The block of the turn was appended at <paramref name="start"/> of the byte stream.</summary>
    /// <returns>The next slot that the turn has opened.</returns>
    public int PlaceLocked(int slot, long start, out OutgoingCall? open)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        ref var entry = ref _slots[slot];
        entry.Position += start - Unplaced;
        open = (entry.Word & StateMask) == Open ? entry.Call : null;
        return entry.NextFree;
    }

    /// <summary>The block of the turn was dropped: takes the call away, unless it was abandoned.</summary>
    /// <returns>The next slot that the turn has opened.</returns>
    public int WithdrawLocked(int slot, out OutgoingCall? open, out int offset)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        ref var entry = ref _slots[slot];
        offset = (int)(entry.Position - Unplaced);
        open = PeekLocked(slot, out ulong word);
        if (open is not null && !TryAbandonLocked(slot, word)) open = null;
        return entry.NextFree;
    }

    /// <summary>True if the request of the call in a slot is still in the block of the turn.</summary>
    public bool IsUnplacedLocked(int slot)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        return _slots[slot].Position >= Unplaced;
    }

    /// <summary>Takes the call that a terminal frame ends. Turn only.</summary>
    public Terminal Complete(CallId id, out OutgoingCall? call)
    {
        call = null;
        ref var entry = ref FindSent(id, out ulong word);
        if (Unsafe.IsNullRef(ref entry)) return Terminal.Unknown;

        ulong freed = word & ~StateMask;
        if ((word & StateMask) == Open && Interlocked.CompareExchange(ref entry.Word, freed, word) == word)
        {
            call = entry.Call;
            entry.Call = null;
            FreeByTurn(ref entry, id.Slot);
            return Terminal.Completed;
        }

        Volatile.Write(ref entry.Word, freed); // abandoned: only the turn changes this state
        FreeByTurn(ref entry, id.Slot);
        return Terminal.Late;
    }

    /// <summary>Finds the call of a frame that does not end it. Turn only.</summary>
    /// <param name="id">Id in the frame.</param>
    /// <param name="call">The call; null if it was cancelled or has expired.</param>
    /// <returns>False if no call has this id.</returns>
    public bool TryFind(CallId id, out OutgoingCall? call)
    {
        call = null;
        ref var entry = ref FindSent(id, out ulong word);
        if (Unsafe.IsNullRef(ref entry)) return false;
        if ((word & StateMask) == Open) call = Volatile.Read(ref entry.Call);
        return true;
    }

    /// <summary>
    /// Finds the slot of a frame. Turn only. None for a call whose request has not left: the peer guesses its id, and the slot is in another list.
    /// </summary>
    /// <returns>A null reference if no call with this id was sent.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref Slot FindSent(CallId id, out ulong word)
    {
        ref var entry = ref _slots.Find(id.Slot);
        word = Unsafe.IsNullRef(ref entry) ? Free : Volatile.Read(ref entry.Word);
        if ((word & StateMask) == Free || (uint)(word >> StateBits & CallId.GenerationMask) != id.Generation) return ref Unsafe.NullRef<Slot>();
        return ref entry.Position >= Unplaced ? ref Unsafe.NullRef<Slot>() : ref entry;
    }

    /// <summary>Hands back the slots that the turn has freed. The caller owns the turn.</summary>
    public void ReclaimLocked()
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        if (_turnFree == NoSlot) return;
        _slots[_turnFreeLast].NextFree = _free;
        _free = _turnFree;
        _turnFree = _turnFreeLast = NoSlot;
    }

    /// <summary>True if a call may be opened: <see cref="TryOpenLocked"/> would succeed, and the lease allows one more.</summary>
    public bool HasFreeLocked => (_free != NoSlot || _used < _limit) && (_leased == int.MaxValue || Count < _leased);

    /// <summary>
    /// Takes an open call away from its reply, which is late if it still comes. <paramref name="open"/> is the slot's word while that call is open.
    /// </summary>
    /// <returns>False if the call was decided already.</returns>
    public bool TryAbandonLocked(int slot, ulong open)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        ref var entry = ref _slots[slot];
        var call = Volatile.Read(ref entry.Call);
        if (Interlocked.CompareExchange(ref entry.Word, open & ~StateMask | Abandoned, open) != open) return false;
        // A slow peer does not hold the caller's memory. The turn does not wait for the lock: it may have opened the next call here by now.
        Interlocked.CompareExchange(ref entry.Call, null, call);
        return true;
    }

    /// <summary>True if a call was abandoned and its terminal frame has not come.</summary>
    public bool IsAbandonedLocked(CallId id)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        ulong word = Volatile.Read(ref _slots[id.Slot].Word);
        return (word & StateMask) == Abandoned && ((word >> StateBits) & CallId.GenerationMask) == id.Generation;
    }

    /// <summary>
    /// Gets the call that is open in a slot, or null. Its outcome may be decided a moment later, and the object reused for another call: only
    /// <see cref="TryAbandonLocked"/> with <paramref name="open"/> makes it the caller's.
    /// </summary>
    public OutgoingCall? PeekLocked(int slot, out ulong open)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        ref var entry = ref _slots[slot];
        open = Volatile.Read(ref entry.Word);
        return (open & StateMask) == Open ? Volatile.Read(ref entry.Call) : null;
    }

    /// <summary>
    /// The connection is lost: takes all open calls away from their replies, in slot order, linked by <see cref="OutgoingCall.Next"/>. Those with requests in
    /// the block of the turn are left to <see cref="WithdrawLocked"/>.
    /// </summary>
    /// <param name="sentUpTo">End of the bytes that the link may have; a call whose request begins there or later was never sent.</param>
    /// <param name="unsent">Calls of which no byte was sent.</param>
    /// <param name="sent">All other calls.</param>
    /// <param name="failures">What the receipts of one-way calls are told, of those that were not sent and of the others.</param>
    /// <param name="outcomes">Receives the outcomes for the receipts.</param>
    public void CloseLocked(
        long sentUpTo, out OutgoingCall? unsent, out OutgoingCall? sent, (CallFailure Unsent, CallFailure Sent) failures, ref CallOutcomes outcomes)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        unsent = sent = null;
        for (int slot = _used; slot > 0; slot--)
        {
            var call = PeekLocked(slot, out ulong open);
            if (call is null || IsUnplacedLocked(slot) || !TryAbandonLocked(slot, open)) continue;
            if (call is OneWayReply reply)
            {
                if (reply.IsTold) outcomes.AddFailure(reply, _slots[slot].Position < sentUpTo ? failures.Sent : failures.Unsent);
                continue;
            }

            call.Place = CallPlace.Outside;
            ref var list = ref unsent;
            if (_slots[slot].Position < sentUpTo) list = ref sent;
            call.Next = list;
            list = call;
        }
    }

    /// <summary>Gets the position in the byte stream of the REQUEST of the call that was opened last in a slot.</summary>
    public long PositionOfLocked(int slot)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        return _slots[slot].Position;
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

        /// <summary>Position of the call's REQUEST in the outgoing byte stream.</summary>
        public long Position;

        /// <summary>The next free slot, while this one is free.</summary>
        public int NextFree;
    }
}

/// <summary>Ordinals that this side has given to methods on one connection. Guarded by the connection's lock, except <see cref="TryGet"/>.</summary>
internal sealed class DefinedMethods
{
    private ushort[] _ordinalPlusOne = []; // by MethodDescriptor.Index; 0 = not defined yet
    private MethodDescriptor?[] _compared = []; // by ordinal: the method, if its definition has a fingerprint, so that the peer may answer it
    private int _count;
    private Dictionary<ushort, MethodFingerprint>? _answers; // by ordinal: the peer's fingerprints that differ

    /// <summary>Most methods that the peer accepts.</summary>
    public int Limit { get; set; }

    /// <summary>True if the peer compares fingerprints and answers those that differ.</summary>
    public bool ComparesFingerprints { get; set; }

    /// <summary>Gets the fingerprint that a method has at this side.</summary>
    public static MethodFingerprint FingerprintOf(MethodDescriptor method) => new(method.RequestFingerprint, method.ResponseFingerprint);

    /// <summary>Gets the ordinal of a method that was defined before. Under the lock, or in the turn.</summary>
    /// <param name="index">The <see cref="MethodDescriptor.Index"/>.</param>
    /// <param name="ordinal">Its ordinal.</param>
    /// <remarks>
    /// The turn needs no lock. An entry is written once and keeps its value when the table grows, so the turn finds the ordinal or nothing; then the call
    /// starts under the lock. It may find one whose DEFINE is not appended yet. But the thread that writes the entry appends the DEFINE before it releases the
    /// lock, and the turn needs the lock to append its request: the DEFINE is before it.
    /// </remarks>
    public bool TryGet(int index, out ushort ordinal)
    {
        int entry = (uint)index < (uint)_ordinalPlusOne.Length ? _ordinalPlusOne[index] : 0;
        ordinal = (ushort)(entry - 1);
        return entry != 0;
    }

    /// <summary>Gives a method the next ordinal, unless the peer accepts no more. The caller appends the DEFINE before the first REQUEST.</summary>
    public bool TryAdd(MethodDescriptor method, out ushort ordinal)
    {
        ordinal = (ushort)_count;
        if (_count >= Math.Min(Limit, ushort.MaxValue)) return false;
        if (method.Index >= _ordinalPlusOne.Length) Array.Resize(ref _ordinalPlusOne, Math.Max(method.Index + 1, _ordinalPlusOne.Length * 2));
        if (_count == _compared.Length) Array.Resize(ref _compared, Math.Max(4, _count * 2));
        _compared[_count] = ComparesFingerprints && FingerprintOf(method).IsKnown ? method : null;
        _ordinalPlusOne[method.Index] = (ushort)++_count;
        return true;
    }

    /// <summary>Notes the peer's answer to a definition.</summary>
    /// <returns>The method; null if there was nothing to answer.</returns>
    public MethodDescriptor? TryAnswer(in DefineAnswer answer)
    {
        if (answer.Ordinal >= _count || _compared[answer.Ordinal] is not { } method) return null;
        (_answers ??= [])[answer.Ordinal] = answer.Fingerprint;
        return method;
    }

    /// <summary>Gets the fingerprint that a method has at the peer, if it is known. If the peer compares and has not answered, it is this side's.</summary>
    public MethodFingerprint PeersOf(MethodDescriptor method)
    {
        if (!ComparesFingerprints || !TryGet(method.Index, out ushort ordinal)) return default;
        return _answers is not null && _answers.TryGetValue(ordinal, out var answer) ? answer : FingerprintOf(method);
    }
}
