using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Members that hold something before anything is read.</summary>
[ProtoContract]
public sealed class Preset
{
    private readonly List<int> _filled = [7];

    [ProtoMember(1)]
    public List<int> Numbers { get; set; } = [1, 2];

    [ProtoMember(2)]
    public int[] Array { get; set; } = [9];

    [ProtoMember(3)]
    public byte[] Bytes { get; set; } = [0xaa];

    [ProtoMember(4)]
    public Leaf Leaf { get; set; } = new("preset", 5);

    [ProtoMember(5)]
    public List<int> Filled => _filled;

    [ProtoMember(6, IsPacked = true)]
    public List<float> Floats { get; set; } = [1.5f];
}
