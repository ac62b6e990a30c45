using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A small object.</summary>
[ProtoContract]
internal sealed class Dot
{
    [ProtoMember(1)]
    public int Id { get; set; }
}
