using System.Numerics;
using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// The requests of the peer by slot: which are open, which the peer has cancelled, and the tokens of their handlers. The counterpart of <c>CallSlots</c>, and
/// simpler because the peer chooses the slots.
/// </summary>
/// <remarks>
/// A slot's word is generation &lt;&lt; 2 | used &lt;&lt; 1 | open. Only the turn opens a slot. The thread that answers closes it: the turn without the
/// connection's lock, other threads with it. The peer opens it again only after it has read the answer. Members that take a slot or an id that was opened once
/// may be called from any thread.
/// </remarks>
internal sealed class RequestSlots(int limit)
{
    private const uint OpenBit = 1;
    private const uint UsedBit = 2;
    private const int StateBits = 2;

    private SlotArray<Slot> _slots = new();
    private int _highest;
    private long _charged;
    private long _chargedToConnection; // bytes; of the turn, and of the end of the connection after it

    /// <summary>
    /// Slots of a connection that are not charged. Further ones are charged <see cref="SlotCharge"/> each: their entry, and the rest of a request that was
    /// refused before it was whole, which a peer can have in every slot.
    /// </summary>
    private const int FreeSlots = 64, SlotCharge = 56;

    /// <summary>Relation of a call to its slot.</summary>
    public enum Relation
    {
        /// <summary>The call is not the last of its slot.</summary>
        Stranger,

        /// <summary>The call is the last of its slot, and was answered.</summary>
        Answered,

        /// <summary>The call is the last of its slot, and is open.</summary>
        Open,
    }

    /// <summary>The connection's share of the server's memory; null if that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    /// <summary>Total charge of the requests that are not answered.</summary>
    public long Charged => Volatile.Read(ref _charged);

    /// <summary>The current time as a stamp, for slots that are opened next. Owned by the turn.</summary>
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
            int added = _slots.Ensure(id.Slot, limit);
            if (added > 0 && id.Slot >= FreeSlots) ChargeConnection((long)added * SlotCharge);
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

    /// <summary>Gets the relation of an id that the peer sent to its slot.</summary>
    public Relation Find(CallId id)
    {
        uint word = _slots.Exists(id.Slot) ? Volatile.Read(ref _slots[id.Slot].Word) : 0;
        if ((word & UsedBit) == 0 || word >> StateBits != id.Generation) return Relation.Stranger;
        return (word & OpenBit) == 0 ? Relation.Answered : Relation.Open;
    }

    /// <summary>Closes the slot of a request that is answered. In the turn, or under the connection's lock.</summary>
    /// <param name="id">Id of the request.</param>
    /// <param name="reply">
    /// Sends an answer of more than one frame, for <see cref="FindReply"/>. Set before the slot says that it is answered, because from then on the turn owns
    /// it.
    /// </param>
    /// <returns>False if it was answered before.</returns>
    public bool TryClose(CallId id, OutboundFlow? reply = null)
    {
        ref var slot = ref _slots[id.Slot];
        if (Volatile.Read(ref slot.Word) != OpenWord(id)) return false;
        slot.Cancellation = null;
        if (slot.Beside != reply) slot.Beside = reply;
        if (!slot.Charge.IsNone) ReleaseCharge(ref slot);
        Volatile.Write(ref slot.Word, id.Generation << StateBits | UsedBit);
        return true;
    }

    /// <summary>True if a call is open in the slot.</summary>
    public bool IsOpen(int slot, out CallId id)
    {
        uint word = Volatile.Read(ref _slots[slot].Word);
        id = new CallId(slot, word >> StateBits);
        return (word & OpenBit) != 0;
    }

    /// <summary>Gets the stamp at which the last call of a slot was opened (<see cref="SlotAge"/>). Turn only.</summary>
    public byte StampOf(int slot) => _slots[slot].Stamp;

    /// <summary>Sets the stamp of the last call of a slot to that of a short deadline (microseconds). Turn only.</summary>
    public void SetAge(int slot, long deadline) => _slots[slot].Stamp = SlotAge.WithDeadline(Stamp, deadline);

    /// <summary>True if the peer has cancelled the call. For code that is about to start a handler.</summary>
    public bool IsCancelled(CallId id) => Volatile.Read(ref _slots[id.Slot].Cancelled);

    /// <summary>Marks the call that is open in a slot as cancelled.</summary>
    /// <returns>False if none is open.</returns>
    public bool TryMarkCancelled(int slot)
    {
        if (!IsOpen(slot, out _)) return false;
        Volatile.Write(ref _slots[slot].Cancelled, true);
        return true;
    }

    /// <summary>Gives the call a token that <see cref="FindCancellation"/> finds.</summary>
    public void Attach(CallId id, IInboundCancellation cancellation) => Volatile.Write(ref _slots[id.Slot].Cancellation, cancellation);

    /// <summary>Gives the call its streams. In the turn.</summary>
    public void Attach(CallId id, AcceptedStream stream) => Volatile.Write(ref _slots[id.Slot].Beside, stream);

    /// <summary>Charges the call for the memory of its request until it is answered. In the turn, or on the thread that is about to run it.</summary>
    /// <param name="id">Id of the call.</param>
    /// <param name="length">Bytes of the request.</param>
    /// <param name="carried">
    /// Bytes that were taken of the server's memory for the request before: it keeps these, and cannot be refused then. Reduced by those that the call has now.
    /// </param>
    /// <returns>The limit that prevents it; then nothing is charged.</returns>
    public MemoryVerdict TryCharge(CallId id, long length, ref long carried)
    {
        var charge = CompactCharge.Of(length);
        long missing = charge.Bytes - carried;
        if (missing > 0 && Memory is { } memory)
        {
            var verdict = carried == 0 ? memory.TryTake(missing) : MemoryVerdict.Granted;
            if (verdict != MemoryVerdict.Granted) return verdict;
            if (carried > 0) memory.Take(missing); // what is rounded up
        }

        carried = Math.Max(0, -missing);
        _slots[id.Slot].Charge = charge;
        Interlocked.Add(ref _charged, charge.Bytes);
        return MemoryVerdict.Granted;
    }

    /// <summary>Charges the connection for memory that it holds until it is over. Turn only.</summary>
    public void ChargeConnection(long bytes)
    {
        if (Memory is not { } memory) return;
        _chargedToConnection += bytes;
        memory.Take(bytes);
    }

    /// <summary>Releases what is charged for the slots and the connection, which is over.</summary>
    public void ReleaseSlots() => Memory?.Release(Interlocked.Exchange(ref _chargedToConnection, 0));

    /// <summary>Returns the charge of a call that was answered after the end of its connection, which leaves its slot open.</summary>
    public void ReleaseCharge(CallId id)
    {
        ref var slot = ref _slots[id.Slot];
        if (!slot.Charge.IsNone && Volatile.Read(ref slot.Word) == OpenWord(id)) ReleaseCharge(ref slot);
    }

    /// <summary>Gets the streams of the call that is open in a slot; null if it has none.</summary>
    public AcceptedStream? FindStream(CallId id)
    {
        ref var slot = ref _slots[id.Slot];
        var stream = Volatile.Read(ref slot.Beside) as AcceptedStream;
        return Volatile.Read(ref slot.Word) == OpenWord(id) ? stream : null;
    }

    /// <summary>Gets the sender of the reply of the call that was answered last in a slot; null if the reply was one frame. Under the lock.</summary>
    public OutboundFlow? FindReply(CallId id) => _slots[id.Slot].Beside as OutboundFlow;

    /// <summary>Notes the rest of the request of a call that was answered before it was whole; null when nothing may come anymore. In the turn.</summary>
    public void SetUnwanted(CallId id, UnwantedRest? rest) => _slots[id.Slot].Beside = rest;

    /// <summary>Gets the rest of the request of a call that was answered before it was whole; null if it was whole. In the turn.</summary>
    public UnwantedRest? FindUnwanted(CallId id) => Find(id) == Relation.Answered ? _slots[id.Slot].Beside as UnwantedRest : null;

    /// <summary>
    /// Gets the token of the call that is open in a slot, if it has one. It may belong to another call a moment later: <paramref name="id"/> is the call for
    /// which it was read.
    /// </summary>
    public IInboundCancellation? FindCancellation(int slot, out CallId id)
    {
        ref var entry = ref _slots[slot];
        id = new CallId(slot, Volatile.Read(ref entry.Word) >> StateBits); // first: the object may move from this call to the next one of the slot
        return Volatile.Read(ref entry.Cancellation);
    }

    private void ReleaseCharge(ref Slot slot)
    {
        long charge = CompactCharge.Take(ref slot.Charge); // a turn may answer while another thread ends the connection
        Interlocked.Add(ref _charged, -charge);
        Memory?.Release(charge);
    }

    private static uint OpenWord(CallId id) => id.Generation << StateBits | UsedBit | OpenBit;

    private struct Slot
    {
        public uint Word;
        public bool Cancelled;
        public byte Stamp;
        public CompactCharge Charge;
        public IInboundCancellation? Cancellation;

        /// <summary>
        /// The streams of an open call. After the answer: the sender of a reply of more than one frame, or the rest of a request that was not whole.
        /// </summary>
        public object? Beside;
    }
}

/// <summary>
/// A number of bytes in two bytes of a slot: 12 bits of a count and 4 bits of its exponent, in units of 1 KiB. Rounds up, by less than 1/2,000 above 4 MiB.
/// Holds up to 128 GiB, more than any request.
/// </summary>
internal readonly struct CompactCharge
{
    private const int UnitBits = 10, CountBits = 12;

    private readonly ushort _value;

    private CompactCharge(ushort value) => _value = value;

    public bool IsNone => _value == 0;

    public long Bytes => (long)(_value & ((1 << CountBits) - 1)) << (UnitBits + (_value >> CountBits));

    public static CompactCharge Of(long bytes)
    {
        long units = (bytes + (1 << UnitBits) - 1) >> UnitBits;
        int exponent = Math.Max(0, BitOperations.Log2((ulong)units) + 1 - CountBits);
        long count = (units + (1L << exponent) - 1) >> exponent;
        if (count >> CountBits != 0) (count, exponent) = (count >> 1, exponent + 1); // rounded up to the next power of two
        return new((ushort)(exponent << CountBits | (int)count));
    }

    /// <summary>Takes the charge out of a slot. Safe against another thread that does the same.</summary>
    public static long Take(ref CompactCharge charge) =>
        new CompactCharge(Interlocked.Exchange(ref System.Runtime.CompilerServices.Unsafe.As<CompactCharge, ushort>(ref charge), 0)).Bytes;
}
