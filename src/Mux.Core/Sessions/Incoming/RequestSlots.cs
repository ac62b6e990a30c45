using Mux.Lanes;
using Mux.Sessions.Budgets;
using Mux.Sessions.Calls;
using Mux.Sessions.Messages;
using Mux.Sessions.Streaming;
using Mux.Wire;

namespace Mux.Sessions.Incoming;

/// <summary>
/// The requests of the peer by slot: which are open, which the peer has given up, and the tokens of their handlers. The counterpart of <c>CallSlots</c>,
/// simpler because the peer chooses the slots.
/// </summary>
/// <remarks>
/// A slot's word is generation &lt;&lt; 2 | used &lt;&lt; 1 | open. Only the turn opens a slot; it is closed by whoever answers, the turn without and others
/// with the connection's lock. The peer opens it again only after it has read the answer. Members that take a slot or an id that was opened once may be called
/// from any thread.
/// </remarks>
internal sealed class RequestSlots(int limit)
{
    private const uint OpenBit = 1;
    private const uint UsedBit = 2;
    private const int StateBits = 2;

    private readonly SlotArray<Slot> _slots = new();
    private int _highest;
    private long _charged;

    /// <summary>Requests are charged in so many bytes, so that a slot holds the charge of the largest in two bytes.</summary>
    private const int ChargeUnit = 1024;

    /// <summary>What a slot has to do with a call.</summary>
    public enum Relation
    {
        /// <summary>The call is not the last of its slot.</summary>
        Stranger,

        /// <summary>It is, and was answered.</summary>
        Answered,

        /// <summary>It is, and is open.</summary>
        Open,
    }

    /// <summary>What the connection holds of the memory of its server; null where that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    /// <summary>What the requests that are not answered are charged together.</summary>
    public long Charged => Volatile.Read(ref _charged);

    /// <summary>When it is, for the slots that are opened next. The turn's.</summary>
    public byte Stamp { get; set; }

    /// <summary>The highest slot ever opened.</summary>
    public int Highest => Volatile.Read(ref _highest);

    /// <summary>Opens the slot of a new request. Turn only.</summary>
    /// <returns>The rule that its id breaks, or null.</returns>
    public ProtocolViolation? Open(CallId id)
    {
        if (id.Slot > _highest)
        {
            if (id.Slot > limit) return new(ConnectionCode.ProtocolError, $"REQUEST {id} in a slot above {limit}.");
            if (id.Slot > _highest + 1) return new(ConnectionCode.ProtocolError, $"REQUEST {id} in a new slot; the next new one is {_highest + 1}.");
            _slots.Ensure(id.Slot, limit);
            Volatile.Write(ref _highest, id.Slot);
        }

        ref var slot = ref _slots[id.Slot];
        uint word = Volatile.Read(ref slot.Word);
        if ((word & OpenBit) != 0) return new(ConnectionCode.ProtocolError, $"REQUEST {id} in a slot whose call is open.");
        uint expected = ((word >> StateBits) + 1) & CallId.GenerationMask;
        if (id.Generation != expected) return new(ConnectionCode.ProtocolError, $"REQUEST {id}; the next generation of its slot is {expected}.");
        slot.Cancelled = false;
        slot.Stamp = Stamp;
        if (slot.Beside is not null) slot.Beside = null;
        Volatile.Write(ref slot.Word, OpenWord(id));
        return null;
    }

    /// <summary>What an id that the peer sent stands for.</summary>
    public Relation Find(CallId id)
    {
        uint word = _slots.Exists(id.Slot) ? Volatile.Read(ref _slots[id.Slot].Word) : 0;
        if ((word & UsedBit) == 0 || word >> StateBits != id.Generation) return Relation.Stranger;
        return (word & OpenBit) == 0 ? Relation.Answered : Relation.Open;
    }

    /// <summary>The request is answered. In the turn, or under the connection's lock.</summary>
    /// <param name="id">Of the request.</param>
    /// <param name="reply">What sends an answer of more than one frame, for <see cref="FindReplyLocked"/>; set before the slot says that it is answered,
    /// because from then on it is the turn's.</param>
    /// <returns>False if it was answered before.</returns>
    public bool TryClose(CallId id, OutboundFlow? reply = null)
    {
        ref var slot = ref _slots[id.Slot];
        if (Volatile.Read(ref slot.Word) != OpenWord(id)) return false;
        slot.Cancellation = null;
        if (slot.Beside != reply) slot.Beside = reply;
        if (slot.ChargedUnits != 0) ReleaseCharge(ref slot);
        Volatile.Write(ref slot.Word, id.Generation << StateBits | UsedBit);
        return true;
    }

    /// <summary>Whether a call is open in the slot.</summary>
    public bool IsOpen(int slot, out CallId id)
    {
        uint word = Volatile.Read(ref _slots[slot].Word);
        id = new CallId(slot, word >> StateBits);
        return (word & OpenBit) != 0;
    }

    /// <summary>When the last call of a slot was opened (<see cref="SlotAge"/>). Turn only.</summary>
    public byte StampOf(int slot) => _slots[slot].Stamp;

    /// <summary>The call that was opened last in a slot has a short deadline (microseconds). Turn only.</summary>
    public void SetAge(int slot, long deadline) => _slots[slot].Stamp = SlotAge.WithDeadline(Stamp, deadline);

    /// <summary>Whether the peer has given the call up. For code that is about to start a handler.</summary>
    public bool IsCancelled(CallId id) => Volatile.Read(ref _slots[id.Slot].Cancelled);

    /// <summary>Notes that the call that is open in a slot is given up.</summary>
    /// <returns>False if none is open.</returns>
    public bool TryMarkCancelled(int slot)
    {
        if (!IsOpen(slot, out _)) return false;
        Volatile.Write(ref _slots[slot].Cancelled, true);
        return true;
    }

    /// <summary>Gives the call a token that <see cref="FindCancellation"/> finds.</summary>
    public void Attach(CallId id, InboundCancellation cancellation) => Volatile.Write(ref _slots[id.Slot].Cancellation, cancellation);

    /// <summary>Gives the call its streams. In the turn.</summary>
    public void Attach(CallId id, AcceptedStream stream) => Volatile.Write(ref _slots[id.Slot].Beside, stream);

    /// <summary>Charges the call what its request takes of memory until it is answered. In the turn, or on the thread that is about to run it.</summary>
    /// <returns>What stands in the way; then nothing is charged.</returns>
    public MemoryVerdict TryCharge(CallId id, long length)
    {
        ushort units = (ushort)Math.Min(ushort.MaxValue, (length + ChargeUnit - 1) / ChargeUnit);
        long charge = (long)units * ChargeUnit;
        var verdict = Memory?.TryTake(charge) ?? MemoryVerdict.Granted;
        if (verdict != MemoryVerdict.Granted) return verdict;
        _slots[id.Slot].ChargedUnits = units;
        Interlocked.Add(ref _charged, charge);
        return MemoryVerdict.Granted;
    }

    /// <summary>The call was answered behind the end of its connection, which leaves its slot open: gives back what it was charged.</summary>
    public void ReleaseCharge(CallId id)
    {
        ref var slot = ref _slots[id.Slot];
        if (slot.ChargedUnits != 0 && Volatile.Read(ref slot.Word) == OpenWord(id)) ReleaseCharge(ref slot);
    }

    /// <summary>The streams of the call that is open in a slot; null if it has none.</summary>
    public AcceptedStream? FindStream(CallId id)
    {
        ref var slot = ref _slots[id.Slot];
        var stream = Volatile.Read(ref slot.Beside) as AcceptedStream;
        return Volatile.Read(ref slot.Word) == OpenWord(id) ? stream : null;
    }

    /// <summary>What sends the reply of the call that was answered last in a slot; null if it was one frame. Under the lock.</summary>
    public OutboundFlow? FindReplyLocked(CallId id) => _slots[id.Slot].Beside as OutboundFlow;

    /// <summary>
    /// Notes what may still come of the request of a call that was answered before it was whole. In the turn; null when nothing may any more.
    /// </summary>
    public void SetUnwanted(CallId id, PartialMessage? rest) => _slots[id.Slot].Beside = rest;

    /// <summary>What may still come of the request of a call that was answered before it was whole; null if it was. In the turn.</summary>
    public PartialMessage? FindUnwanted(CallId id) => Find(id) == Relation.Answered ? _slots[id.Slot].Beside as PartialMessage : null;

    /// <summary>
    /// The token of the call that is open in a slot, if it has one. It may be another call's a moment later: <paramref name="id"/> says whose it was meant to
    /// be.
    /// </summary>
    public InboundCancellation? FindCancellation(int slot, out CallId id)
    {
        ref var entry = ref _slots[slot];
        id = new CallId(slot, Volatile.Read(ref entry.Word) >> StateBits); // first: the object may go from this call to the next one of the slot
        return Volatile.Read(ref entry.Cancellation);
    }

    private void ReleaseCharge(ref Slot slot)
    {
        long charge = (long)Interlocked.Exchange(ref slot.ChargedUnits, 0) * ChargeUnit; // a turn may answer while others end the connection
        Interlocked.Add(ref _charged, -charge);
        Memory?.Release(charge);
    }

    private static uint OpenWord(CallId id) => id.Generation << StateBits | UsedBit | OpenBit;

    private struct Slot
    {
        public uint Word;
        public bool Cancelled;
        public byte Stamp;
        public ushort ChargedUnits;
        public InboundCancellation? Cancellation;

        /// <summary>
        /// While the call is open, its streams; when it is answered, what sends a reply of more than one frame, or the rest of a request that was not whole.
        /// </summary>
        public object? Beside;
    }
}
