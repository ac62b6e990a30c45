namespace Mux.TestSupport.Transports;

/// <summary>What one end of a connection sends, with a fault at one byte of it.</summary>
public sealed class SentBytes
{
    private readonly MemoryStream _bytes = new();

    public OffsetFault Fault { get; set; }

    /// <summary>Bytes that pass before the one that is hit.</summary>
    public long Offset { get; set; }

    /// <summary>The bits that flip.</summary>
    public byte Mask { get; set; } = 0xFF;

    /// <summary>Whether the byte was reached.</summary>
    public bool IsHit { get; internal set; }

    public int Count => (int)_bytes.Length;

    /// <summary>What passed, as it was before a bit flipped.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.GetBuffer().AsSpan(0, Count);

    /// <summary>The fault comes so many bytes behind what was sent already.</summary>
    public void HitAhead(OffsetFault fault, int bytes, byte mask = 0xFF) => (Offset, Mask, Fault) = (Count + bytes, mask, fault);

    internal void Append(ReadOnlySpan<byte> bytes) => _bytes.Write(bytes);
}
