using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[ProtoContract]
public sealed class ExtensibleDerived : ExtensibleBase
{
    [ProtoMember(1)]
    public int More { get; set; }
}
