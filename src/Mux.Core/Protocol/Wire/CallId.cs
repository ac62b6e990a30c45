namespace Mux.Protocol;

/// <summary>
/// Id of a call in its initiator's id space: a slot, which indexes flat tables at both ends, and a generation, which distinguishes the calls of one slot
/// (PROTOCOL.md section 2.2).
/// </summary>
internal readonly record struct CallId(uint Value)
{
    /// <summary>Twenty bits; slot 0 is the connection itself.</summary>
    public const int MaxSlot = (1 << SlotBits) - 1;

    /// <summary>Twelve bits: 4095 is followed by 0.</summary>
    public const uint GenerationMask = 0xFFF;

    private const int SlotBits = 20;

    public CallId(int slot, uint generation)
        : this((uint)slot | (generation & GenerationMask) << SlotBits)
    {
    }

    public int Slot => (int)(Value & MaxSlot);

    public uint Generation => Value >> SlotBits;

    public override string ToString() => $"{Slot}#{Generation}";
}
