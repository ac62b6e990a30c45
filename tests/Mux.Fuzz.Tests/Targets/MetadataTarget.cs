using System.Buffers.Binary;
using System.Text;
using Mux.Protocol;

namespace Mux.Fuzz.Tests.Targets;

/// <summary>A block of metadata that is taken can be decoded, for little memory, and what is decoded is written again as it came.</summary>
internal sealed class MetadataTarget : FuzzTarget
{
    private const int MaxCharge = 8 * 1024;

    public override string Name => "metadata";

    public override IReadOnlyList<byte[]> Examples { get; } =
    [
        Block(("a", "1")),
        Block(("trace.id", "00-ff"), ("x-y_z", ""), ("mux-hop", "3")),
        Block([.. Enumerable.Range(0, MuxMetadata.MaxEntries).Select(static i => ($"k{i}", "v"))]),
        Block((new string('k', 255), new string('v', 100))),
    ];

    public override int Run(ReadOnlySpan<byte> input, Random random)
    {
        bool isTaken = MetadataBlock.TryRead(input, MaxCharge, out int length, out bool isOverLimit, out var violation);
        Assert.Equal(isTaken, violation is null);
        if (!isTaken) return KindOf(violation!.Text);
        Assert.InRange(length, 2, input.Length);
        if (isOverLimit) return -1;

        long before = GC.GetAllocatedBytesForCurrentThread();
        var metadata = MetadataBlock.Decode(input[..length]);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 8 * 1024 + (16 * length));
        Assert.InRange(metadata.Count, 0, MuxMetadata.MaxEntries);
        Assert.True(MetadataBlock.TryMeasure(metadata, MaxCharge, out int measured));
        var again = new byte[Math.Max(measured, 2)];
        if (measured > 0) Assert.Equal(measured, MetadataBlock.Write(again, metadata));
        Assert.Equal(metadata.Select(static entry => (entry.Key, Convert.ToHexString(entry.Bytes.Span))), MetadataBlock.Decode(again).Select(static entry => (entry.Key, Convert.ToHexString(entry.Bytes.Span))));
        return metadata.Count;
    }

    private static byte[] Block(params (string Key, string Value)[] entries)
    {
        var bytes = new List<byte> { 0, 0 };
        foreach (var (key, value) in entries) bytes.AddRange([(byte)key.Length, .. Encoding.ASCII.GetBytes(key), (byte)value.Length, (byte)(value.Length >> 8), .. Encoding.ASCII.GetBytes(value)]);
        var block = bytes.ToArray();
        BinaryPrimitives.WriteUInt16LittleEndian(block, (ushort)(block.Length - 2));
        return block;
    }
}
