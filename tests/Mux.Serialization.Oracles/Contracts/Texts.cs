using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Strings and bytes, alone and in lists.</summary>
[ProtoContract]
public sealed class Texts
{
    [ProtoMember(1)]
    public string? Text { get; set; }

    [ProtoMember(2)]
    public byte[]? Bytes { get; set; }

    [ProtoMember(16)]
    public string? Second { get; set; }

    [ProtoMember(17)]
    public List<string>? Items { get; set; }

    [ProtoMember(18)]
    public List<byte[]>? Blobs { get; set; }

    [ProtoMember(19)]
    public string[]? Array { get; set; }

    [ProtoMember(100000)]
    public string? Far { get; set; }
}
