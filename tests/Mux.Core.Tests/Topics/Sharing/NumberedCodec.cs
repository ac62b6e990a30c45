using System.Buffers.Binary;
using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>16 bytes an item. Anything else cannot be decoded.</summary>
internal sealed class NumberedCodec() : MessageCodec<Numbered>("test")
{
    private int _decoded;

    public int Decoded => Volatile.Read(ref _decoded);

    /// <summary>Runs before an item is encoded.</summary>
    public Action<Numbered> OnEncode { get; set; } = static _ => { };

    public override void Encode(ref MessageWriter writer, Numbered message)
    {
        OnEncode(message);
        byte[] bytes = new byte[16];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, message.Publisher);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(4), message.Index);
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(8), message.Sequence);
        writer.Write(bytes);
    }

    public override Numbered Decode(ReadOnlySpan<byte> body)
    {
        Interlocked.Increment(ref _decoded);
        if (body.Length != 16) throw new InvalidMessageException($"It has {body.Length} bytes: expected 16.");
        return new Numbered
        {
            Publisher = BinaryPrimitives.ReadInt32LittleEndian(body),
            Index = BinaryPrimitives.ReadInt32LittleEndian(body[4..]),
            Sequence = BinaryPrimitives.ReadInt64LittleEndian(body[8..]),
        };
    }
}
