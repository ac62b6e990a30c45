using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Keeps what it does not know, in a member that nobody else sees.</summary>
[ProtoContract]
public sealed class Keeping
{
    [ProtoMember(1)]
    public int Id { get; set; }

    [ProtoMember(2)]
    public Keeping? Next { get; set; }

    [ProtoMember(3)]
    public byte[]? Bytes { get; set; }

    private UnknownFields? Unknown { get; set; }

    public UnknownFields? TellUnknown() => Unknown;
}
